import './styles/index.css';
import { App, type Page } from './app';
import { ChallengePage } from './pages/challenge';
import { GamePage } from './pages/game';
import { LobbyPage } from './pages/lobby';
import { Socket } from './socket';
import { msgpack, openWire } from './wire';

function pageOf(app: App, path: string): Page {
  const [, kind, id] = path.split('/');
  if (kind === 'game' && id) return new GamePage(app, decodeURIComponent(id));
  if (kind === 'challenge' && id) return new ChallengePage(app, decodeURIComponent(id));
  return new LobbyPage(app);
}

const part = (id: string) => document.getElementById(id)!;

new App(new Socket(openWire, msgpack), pageOf, part('bar'), part('page')).start();
