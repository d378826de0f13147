import { titleStored, type Fact, type GameMetadata } from '@lobbystats/contracts';
import { splitBySize } from '../facts/split-by-size.ts';

export const TITLES_PER_FACT = 1000;
export const CHARACTERS_PER_FACT = 1_000_000;

interface FactsAbout extends Pick<Fact, 'occurredAt' | 'past'> {
  origin: string;
}

/** Revisions increase by one from `firstRevision`; `revision` is the last, or `firstRevision` without facts. */
export function titleFacts(
  changed: readonly GameMetadata[],
  firstRevision: number,
  { origin, occurredAt, past }: FactsAbout,
): { facts: Fact[]; revision: number } {
  const facts = splitBySize(changed, { count: TITLES_PER_FACT, characters: CHARACTERS_PER_FACT }).map(
    (titles, index): Fact => {
      const revision = firstRevision + index;
      const id = `${titleStored.key}:${origin}:${revision}`;
      return { type: titleStored.key, id, occurredAt, past, data: { revision, titles } };
    },
  );
  return { facts, revision: firstRevision + Math.max(facts.length - 1, 0) };
}
