/** The question to a host with running clocks who is about to play another game. Loaded when it is asked. */

import '../styles/simuls.css';
import { html, render } from 'lit-html';
import { say } from '../words/words';

/** Resolves with whether to play; false also if the dialog is closed or they return to the simul. */
export function askHost(simul: string, navigate: (path: string) => void): Promise<boolean> {
  const before = document.activeElement;
  const dialog = document.createElement('dialog');
  dialog.className = 'simul-dialog hosting-question';
  dialog.dataset.testid = 'hosting-question';
  dialog.setAttribute('aria-labelledby', 'hosting-title');
  const answer = (value: string) => () => dialog.close(value);
  render(
    html`<h2 id="hosting-title">${say('hosted.title')}</h2>
      <p>${say('hosted.question')}</p>
      <div class="buttons">
        <button class="main" autofocus data-testid="hosting-return" @click=${answer('return')}>${say('hosted.back')}</button>
        <button data-testid="hosting-play" @click=${answer('play')}>${say('hosted.play')}</button>
        <button class="plain" data-testid="hosting-cancel" @click=${answer('')}>${say('form.cancel')}</button>
      </div>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      if (dialog.returnValue === 'return') navigate(`/simul/${simul}`);
      resolve(dialog.returnValue === 'play');
    });
  });
}
