/** Tracks which items of a list are in view, or nearly. */

/** Margin around the window: a flick of the wheel. */
const NEAR = '300px';

export class VisibleItems {
  private readonly seen = new Set<string>();
  private readonly watched = new Map<string, Element>();
  private readonly observer: IntersectionObserver;

  /** `changed` is called after each change. */
  constructor(changed: () => void) {
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const name = (target as HTMLElement).dataset.tile ?? '';
          if (isIntersecting && this.watched.get(name) === target) this.seen.add(name);
          else if (!isIntersecting) this.seen.delete(name);
        }
        changed();
      },
      { rootMargin: `${NEAR} 0px` },
    );
  }

  /** Observe these items, each with `data-tile`. */
  follow(places: Iterable<HTMLElement>): void {
    const now = new Map([...places].map((place) => [place.dataset.tile ?? '', place]));
    for (const [name, element] of this.watched) {
      if (now.get(name) === element) continue;
      this.observer.unobserve(element);
      this.watched.delete(name);
      this.seen.delete(name);
    }
    for (const [name, element] of now) {
      if (this.watched.has(name)) continue;
      this.watched.set(name, element);
      this.observer.observe(element);
    }
  }

  has(name: string): boolean {
    return this.seen.has(name);
  }

  close(): void {
    this.observer.disconnect();
  }
}
