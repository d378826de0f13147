/** How long other services than the one that told of a fact may take to know it, in milliseconds. */
const SETTLED_MS = 3000;
/** More tags than facts of that kind touch in that time. */
const TAGS_MAX = 1000;

interface Unsettled {
  untilMs: number;
  owners: ReadonlySet<string>;
}

/**
 * Facts that a service learns of as late as we do, such as a new name of a title which stands in another service's answers:
 * what that one says soon after may still be old, and is asked for once more.
 */
export class Settling {
  readonly #byTag = new Map<string, Unsettled>();

  /** @param owners who learns of the fact by the bus */
  note(tags: readonly string[], owners: readonly string[], nowMs: number): void {
    if (owners.length === 0) return;
    for (const [tag, { untilMs }] of this.#byTag) {
      if (untilMs <= nowMs || this.#byTag.size > TAGS_MAX) this.#byTag.delete(tag);
    }
    for (const tag of tags) this.#byTag.set(tag, { untilMs: nowMs + SETTLED_MS, owners: new Set(owners) });
  }

  /** Until when an owner's answer of these tags may still be old; undefined when it isn't. */
  untilMs(tags: readonly string[], owner: string, nowMs: number): number | undefined {
    const ends = tags.flatMap((tag) => {
      const unsettled = this.#byTag.get(tag);
      const isOpen = unsettled !== undefined && unsettled.untilMs > nowMs && unsettled.owners.has(owner);
      return isOpen ? [Math.min(unsettled.untilMs, nowMs + SETTLED_MS)] : [];
    });
    return ends.length === 0 ? undefined : Math.max(...ends);
  }
}
