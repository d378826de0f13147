/** How long other consumers of a fact may lag behind, in milliseconds. */
const PROPAGATION_MS = 3000;
/** An upper bound of the tags that such facts invalidate in that time. */
const TAGS_MAX = 1000;

interface PropagationWindow {
  untilMs: number;
  upstreams: ReadonlySet<string>;
}

/**
 * Keys of entries by tag. Also tracks facts that upstreams consume asynchronously too, such as a title's new name: their
 * responses may be stale for a moment and are fetched again.
 */
export class TagIndex {
  readonly #keysByTag = new Map<string, Set<string>>();
  readonly #windows = new Map<string, PropagationWindow>();

  add(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag);
      if (keys === undefined) this.#keysByTag.set(tag, new Set([key]));
      else keys.add(key);
    }
  }

  remove(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }

  keysOf(tags: readonly string[]): ReadonlySet<string> {
    return new Set(tags.flatMap((tag) => [...(this.#keysByTag.get(tag) ?? [])]));
  }

  openWindow(tags: readonly string[], upstreams: readonly string[], nowMs: number): void {
    if (upstreams.length === 0) return;
    for (const [tag, { untilMs }] of this.#windows) {
      if (untilMs <= nowMs || this.#windows.size > TAGS_MAX) this.#windows.delete(tag);
    }
    for (const tag of tags) this.#windows.set(tag, { untilMs: nowMs + PROPAGATION_MS, upstreams: new Set(upstreams) });
  }

  /** Returns until when an upstream's response with these tags may be stale; `Infinity` if it is current. */
  windowEndMs(tags: readonly string[], upstream: string, nowMs: number): number {
    const ends = tags.flatMap((tag) => {
      const { untilMs, upstreams } = this.#windows.get(tag) ?? { untilMs: 0 };
      const isOpen = untilMs > nowMs && upstreams?.has(upstream) === true;
      return isOpen ? [Math.min(untilMs, nowMs + PROPAGATION_MS)] : [];
    });
    return ends.length === 0 ? Infinity : Math.max(...ends);
  }
}
