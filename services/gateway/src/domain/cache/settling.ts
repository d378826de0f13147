/** How long other consumers of a fact may lag behind, in milliseconds. */
const SETTLED_MS = 3000;
/** More tags than facts of that kind touch in that time. */
const TAGS_MAX = 1000;

interface Unsettled {
  untilMs: number;
  owners: ReadonlySet<string>;
}

/**
 * Facts that another service consumes as late as the gateway does, such as a title's new name: its answers may be old
 * for a moment and are fetched again.
 */
export class Settling {
  readonly #byTag = new Map<string, Unsettled>();

  note(tags: readonly string[], owners: readonly string[], nowMs: number): void {
    if (owners.length === 0) return;
    for (const [tag, { untilMs }] of this.#byTag) {
      if (untilMs <= nowMs || this.#byTag.size > TAGS_MAX) this.#byTag.delete(tag);
    }
    for (const tag of tags) this.#byTag.set(tag, { untilMs: nowMs + SETTLED_MS, owners: new Set(owners) });
  }

  /** Until when an upstream's answer with these tags may be old; undefined when it is current. */
  untilMs(tags: readonly string[], owner: string, nowMs: number): number | undefined {
    const ends = tags.flatMap((tag) => {
      const unsettled = this.#byTag.get(tag);
      const isOpen = unsettled !== undefined && unsettled.untilMs > nowMs && unsettled.owners.has(owner);
      return isOpen ? [Math.min(unsettled.untilMs, nowMs + SETTLED_MS)] : [];
    });
    return ends.length === 0 ? undefined : Math.max(...ends);
  }
}
