import { titleStored, type Fact, type FactMetadata, type GameMetadata } from '@lobbystats/contracts';
import { splitBySize } from '../commits/commits.ts';

export const TITLES_PER_FACT = 1000;

/** Revisions increase by one from `firstRevision`; `revision` is the last, or `firstRevision` without facts. */
export function titleFacts(
  { changed, retired }: { changed: readonly GameMetadata[]; retired: readonly string[] },
  firstRevision: number,
  { origin, occurredAt, past }: Omit<FactMetadata, 'revision'>,
): { facts: Fact[]; revision: number } {
  const bundles = splitBySize(changed, TITLES_PER_FACT);
  if (bundles.length === 0 && retired.length > 0) bundles.push([]);
  const facts = bundles.map((titles, index): Fact => {
    const revision = firstRevision + index;
    const id = `${titleStored.key}:${origin}:${revision}`;
    return {
      type: titleStored.key,
      id,
      occurredAt,
      past,
      data: { revision, titles, ...(index === 0 && retired.length > 0 && { retired }) },
    };
  });
  return { facts, revision: firstRevision + Math.max(facts.length - 1, 0) };
}
