import type { GameMetadata } from '@lobbystats/contracts';
import type { TitleFact } from './title-store.ts';

/** A fact speaks of at most so many titles. */
export const TITLES_PER_FACT = 1000;
/** Titles whose texts are very long are told of in more facts: a fact that no bus carries would hold up all behind it. */
const CHARACTERS_PER_FACT = 1_000_000;

/**
 * The revision after `previous`. It follows the clock where it can, so that a store that was lost, restored or made anew
 * goes on above what it has already told the others, who keep the higher revision.
 *
 * @param nowMs epoch milliseconds; a clock that went backwards counts on by one
 */
export function nextRevision(previous: number, nowMs: number): number {
  return Math.max(previous + 1, Math.floor(nowMs));
}

/** The facts that tell of changed titles, with revisions from `firstRevision` on. */
export function titleFacts(
  changed: readonly GameMetadata[],
  firstRevision: number,
  { occurredAt, past }: Pick<TitleFact, 'occurredAt' | 'past'>,
): TitleFact[] {
  return bundles(changed).map((titles, index) => ({ revision: firstRevision + index, occurredAt, past, titles }));
}

function bundles(changed: readonly GameMetadata[]): GameMetadata[][] {
  const full: GameMetadata[][] = [];
  let last: GameMetadata[] = [];
  let characters = 0;
  for (const title of changed) {
    const size = JSON.stringify(title).length;
    if (last.length === TITLES_PER_FACT || (last.length > 0 && characters + size > CHARACTERS_PER_FACT)) {
      full.push(last);
      last = [];
      characters = 0;
    }
    last.push(title);
    characters += size;
  }
  return last.length === 0 ? full : [...full, last];
}
