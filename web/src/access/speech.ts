/** Moves spoken by the browser's own voice. */

export class Speech {
  private readonly voice = 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : null;

  /** Say `text` after what is being said already. */
  say(text: string): void {
    if (this.voice === null || text === '') return;
    const spoken = new SpeechSynthesisUtterance(forVoice(text));
    spoken.lang = 'en';
    this.voice.speak(spoken);
  }

  stop(): void {
    this.voice?.cancel();
  }
}

/** `a4` as a letter and a number: not as an article, nor as a word. */
export const forVoice = (text: string): string =>
  text.replace(/\b([a-h])([1-8])\b/g, (_, file: string, rank: string) => `${file.toUpperCase()} ${rank}`);
