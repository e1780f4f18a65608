import './styles/index.css';
import { App } from './app';
import { msgpack, openMsgpackTransport } from './net/msgpack-transport';
import { Socket } from './net/socket';
import { broken, formOf, pageOf } from './routes';
import { swallowClosingPresses } from './ui/popover';
import { Tooltips } from './ui/tooltips';

const part = (id: string) => document.getElementById(id)!;

const places = { bar: part('bar'), page: part('page'), toasts: part('toasts') };
const app = new App(new Socket(() => openMsgpackTransport(), msgpack), pageOf, broken, formOf, places);
app.start();
swallowClosingPresses();
new Tooltips();

// After the page has loaded: nobody rests on a name before.
addEventListener('load', () => void import('./watch/name-hover').then(({ NameHover }) => new NameHover(app, document), () => undefined));

// After the page has loaded: the worker only keeps the offline page.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined));
}
