/** How long other consumers of a fact may lag behind, in milliseconds. */
const PROPAGATION_MS = 3000;
/** An upper bound of the tags that such facts invalidate in that time. */
const TAGS_MAX = 1000;

interface OpenWindow {
  untilMs: number;
  upstreams: ReadonlySet<string>;
}

/**
 * Tracks facts that upstreams consume asynchronously too, such as a title's new name: their responses may be stale for a
 * moment and are fetched again.
 */
export class PropagationWindow {
  readonly #byTag = new Map<string, OpenWindow>();

  open(tags: readonly string[], upstreams: readonly string[], nowMs: number): void {
    if (upstreams.length === 0) return;
    for (const [tag, { untilMs }] of this.#byTag) {
      if (untilMs <= nowMs || this.#byTag.size > TAGS_MAX) this.#byTag.delete(tag);
    }
    for (const tag of tags) this.#byTag.set(tag, { untilMs: nowMs + PROPAGATION_MS, upstreams: new Set(upstreams) });
  }

  /** Returns until when an upstream's response with these tags may be stale; undefined if it is current. */
  untilMs(tags: readonly string[], upstream: string, nowMs: number): number | undefined {
    const ends = tags.flatMap((tag) => {
      const unsettled = this.#byTag.get(tag);
      const isOpen = unsettled !== undefined && unsettled.untilMs > nowMs && unsettled.upstreams.has(upstream);
      return isOpen ? [Math.min(unsettled.untilMs, nowMs + PROPAGATION_MS)] : [];
    });
    return ends.length === 0 ? undefined : Math.max(...ends);
  }
}
