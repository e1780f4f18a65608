// Runs before the scripts of the page that is measured, and keeps what its main thread does in `window.measured`.
(() => {
  const fresh = () => ({ longTasks: [], frames: [], switches: [], overtaken: 0, events: 0 });
  const measured = { ...fresh(), snapshot: 0, loaded: null };
  window.measured = measured;

  const tasks = new PerformanceObserver((list) => note(list.getEntries()));
  const note = (entries) => measured.longTasks.push(...entries.map(({ duration }) => duration));
  tasks.observe({ type: 'longtask', buffered: true });

  // What has gathered since it was taken last.
  measured.take = () => {
    note(tasks.takeRecords());
    const { longTasks, frames, switches, overtaken, events } = measured;
    Object.assign(measured, fresh());
    return { longTasks, frames, switches, overtaken, events };
  };

  const Native = WebSocket;
  const named = (bytes, name) => new TextDecoder('latin1').decode(bytes.subarray(0, 64)).includes(`\xa1t${name}`);
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        const bytes = new Uint8Array(data);
        if (named(bytes, '\xa5simul')) measured.snapshot = bytes.length;
        measured.events += Number(named(bytes, '\xabsimul.board'));
      });
    }
  };

  const stage = () => document.querySelector('[data-testid=simul-stage]');
  // The large board has all the pieces of its position.
  const stands = () => {
    const board = stage()?.querySelector('[data-testid=board]');
    const pieces = (board?.dataset.fen ?? '').split(' ')[0].match(/[a-z]/gi)?.length;
    return pieces !== undefined && board.querySelectorAll('piece:not(.ghost, .fading)').length === pieces;
  };

  const board = () => document.querySelector('[data-testid=board]')?.dataset;
  measured.movable = () => board()?.movable === 'true';
  measured.fen = () => board()?.fen;
  measured.shown = () => document.querySelector('[data-testid=simul]')?.dataset.shown;

  // From a key or a press until another board has been painted. What an animation frame posts is heard after its paint.
  let asked = null;
  let begun = 0;
  let last = performance.now();
  const ask = ({ timeStamp }) => (asked = { at: timeStamp, begun, from: stage()?.dataset.board });
  measured.waits = () => asked !== null;
  const key = (event) => {
    if (event.key !== 'n') return;
    // The board of the key before was never seen.
    measured.overtaken += Number(asked !== null);
    ask(event);
  };
  addEventListener('keydown', key, true);
  addEventListener('mousedown', ask, true);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: painted }) => {
    if (measured.loaded === null && document.querySelector('.simul-cell') && stands()) measured.loaded = performance.now();
    if (asked === null || painted <= asked.begun || stage()?.dataset.board === asked.from || !stands()) return;
    measured.switches.push({ ms: performance.now() - asked.at, frames: painted - asked.begun });
    asked = null;
  };
  const frame = (now) => {
    measured.frames.push(now - last);
    last = now;
    port2.postMessage(++begun);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})();
