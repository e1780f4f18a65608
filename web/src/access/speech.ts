/** Moves spoken by speech synthesis. */

import type { Utterance } from '../notation/tell-move';

export class Speech {
  private readonly voice = 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : null;

  /** Queue the sentences, each in its language. */
  say(told: readonly Utterance[]): void {
    if (this.voice === null) return;
    for (const { text, lang } of told) {
      const spoken = new SpeechSynthesisUtterance(lang === undefined ? forVoice(text) : text);
      spoken.lang = lang ?? 'en';
      this.voice.speak(spoken);
    }
  }

  stop(): void {
    this.voice?.cancel();
  }
}

/** `a4` as a letter and a number, so that it is not read as an article or a word. */
export const forVoice = (text: string): string =>
  text.replace(/\b([a-h])([1-8])\b/g, (_, file: string, rank: string) => `${file.toUpperCase()} ${rank}`);
