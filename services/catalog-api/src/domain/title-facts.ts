import { titleStored, type Fact, type GameMetadata } from '@lobbystats/contracts';
import { bundles } from './bundles.ts';

/** A fact speaks of at most so many titles. */
export const TITLES_PER_FACT = 1000;
/** The longest text of a fact's data, about. */
export const CHARACTERS_PER_FACT = 1_000_000;

/** Whose facts they are, and of when. */
interface FactsAbout extends Pick<Fact, 'occurredAt' | 'past'> {
  origin: string;
}

/**
 * The facts that tell of changed titles, with revisions from `firstRevision` on.
 *
 * @returns the facts, and the highest of their revisions, `firstRevision` when there is none
 */
export function titleFacts(
  changed: readonly GameMetadata[],
  firstRevision: number,
  { origin, occurredAt, past }: FactsAbout,
): { facts: Fact[]; revision: number } {
  const facts = bundles(changed, { count: TITLES_PER_FACT, characters: CHARACTERS_PER_FACT }).map(
    (titles, index): Fact => {
      const revision = firstRevision + index;
      const id = `${titleStored.key}:${origin}:${revision}`;
      return { type: titleStored.key, id, occurredAt, past, data: { revision, titles } };
    },
  );
  return { facts, revision: firstRevision + Math.max(facts.length - 1, 0) };
}
