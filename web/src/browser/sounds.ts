/** Sounds of the board, synthesized from short noises and tones. */

import { AudioDevice } from './audio-device';

export type Sound = 'move' | 'capture' | 'check' | 'low' | 'start' | 'end' | 'message' | 'challenge' | 'clock';

/** One noise or tone of a sound. */
interface Stroke {
  kind: 'knock' | 'tone';
  at_s: number;
  hertz: number;
  lasts_s: number;
  loud: number;
}

const knock = (at_s: number, hertz: number, loud: number): Stroke => ({ kind: 'knock', at_s, hertz, lasts_s: 0.07, loud });
const tone = (at_s: number, hertz: number, lasts_s: number, loud = 0.22): Stroke => ({
  kind: 'tone',
  at_s,
  hertz,
  lasts_s,
  loud,
});

const SOUNDS: Record<Sound, readonly Stroke[]> = {
  move: [knock(0, 900, 0.9)],
  capture: [knock(0, 1500, 0.8), knock(0.045, 650, 1)],
  check: [knock(0, 900, 0.9), tone(0.03, 740, 0.14)],
  clock: [knock(0, 2200, 0.6)],
  low: [tone(0, 880, 0.09), tone(0.16, 880, 0.09), tone(0.32, 880, 0.12)],
  start: [tone(0, 523, 0.14), tone(0.12, 784, 0.22)],
  end: [tone(0, 523, 0.5, 0.14), tone(0.05, 659, 0.5, 0.14), tone(0.1, 784, 0.55, 0.14)],
  challenge: [tone(0, 659, 0.12), tone(0.14, 988, 0.22)],
  message: [tone(0, 1175, 0.06, 0.1)],
};

const RISE_S = 0.004;

export class Sounds {
  private readonly device = new AudioDevice(() => this.audible());
  private noise: AudioBuffer | null = null;

  constructor(private readonly settings: { readonly now: { readonly sound: boolean; readonly volume: number } }) {}

  play(sound: Sound): void {
    if (!this.audible()) return;
    const { volume } = this.settings.now;
    this.device.use((context) => {
      for (const stroke of SOUNDS[sound]) this.strike(context, stroke, volume);
    });
  }

  private audible(): boolean {
    return this.settings.now.sound && this.settings.now.volume > 0;
  }

  private strike(context: AudioContext, { kind, at_s, hertz, lasts_s, loud }: Stroke, volume: number): void {
    const from = context.currentTime + at_s;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(loud * volume, from + RISE_S);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + lasts_s);
    gain.connect(context.destination);
    const source = kind === 'tone' ? this.pitch(context, hertz, gain) : this.wood(context, hertz, gain);
    source.start(from);
    source.stop(from + lasts_s);
  }

  private pitch(context: AudioContext, hertz: number, out: AudioNode): AudioScheduledSourceNode {
    const oscillator = context.createOscillator();
    oscillator.type = 'triangle';
    oscillator.frequency.value = hertz;
    oscillator.connect(out);
    return oscillator;
  }

  /** Band-passed noise: wood on wood. */
  private wood(context: AudioContext, hertz: number, out: AudioNode): AudioScheduledSourceNode {
    // Another device may have another sample rate.
    if (this.noise?.sampleRate !== context.sampleRate) {
      this.noise = context.createBuffer(1, Math.ceil(context.sampleRate * 0.1), context.sampleRate);
      const samples = this.noise.getChannelData(0);
      for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
    }
    const band = context.createBiquadFilter();
    band.type = 'bandpass';
    band.frequency.value = hertz;
    band.Q.value = 2.5;
    const source = context.createBufferSource();
    source.buffer = this.noise;
    source.connect(band);
    band.connect(out);
    return source;
  }
}
