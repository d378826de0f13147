import { ratingStored, usernameKey, USERS_PER_FACT, type PendingFact } from '@lobbystats/contracts';

interface Group {
  readonly fact: PendingFact;
  readonly places: readonly number[];
}

/**
 * Merges the facts about ratings of one profile: each write makes such a fact, and readers need the last totals only. The
 * last fact of a profile stands for all before it, with their raters. In the order of their last facts.
 */
export function mergeRatings(facts: readonly PendingFact[]): Group[] {
  const groups = new Map<string, Group>();
  const full: Group[] = [];
  for (const fact of facts) {
    const key = fact.type === ratingStored.key ? usernameKey(dataOf(fact).username) : `other ${fact.place}`;
    const before = groups.get(key);
    const after = before && mergedFact(before.fact, fact);
    if (before !== undefined && after === undefined) full.push(before);
    groups.delete(key);
    groups.set(key, {
      fact: after ?? fact,
      places: [...(after === undefined ? [] : (before?.places ?? [])), fact.place],
    });
  }
  return [...full, ...groups.values()].sort((one, other) => one.fact.place - other.fact.place);
}

/** Undefined when one fact can not have all of the raters. */
function mergedFact(before: PendingFact, after: PendingFact): PendingFact | undefined {
  const data = dataOf(after);
  const raters = new Map(dataOf(before).raters.map((rater) => [rater.username, rater]));
  for (const rater of data.raters) {
    const ratingsGiven = Math.max(rater.ratingsGiven, raters.get(rater.username)?.ratingsGiven ?? 0);
    raters.set(rater.username, { ...rater, ratingsGiven });
  }
  if (raters.size > USERS_PER_FACT) return undefined;
  return { ...after, data: { ...data, raters: [...raters.values()] } };
}

function dataOf({ data }: PendingFact) {
  return ratingStored.data.parse(data);
}
