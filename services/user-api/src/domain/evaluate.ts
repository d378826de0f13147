import type { Definition, Definitions } from './definitions.ts';
import type { Progress } from './progress.ts';
import { ruleIndex, type Bounded, type RuleIndex } from './rule-index.ts';
import type { PlayerRecord } from './user-record.ts';

interface Earning {
  readonly unlocked: readonly number[];
  readonly found: Definition[];
}

/**
 * Newly fulfilled achievements, by id. Lists of rules are sorted, and each is read up to the first unfulfilled one,
 * since this runs for every online user every five minutes.
 */
export function newlyFulfilled(definitions: Definitions, { user, player }: Progress): Definition[] {
  const index = ruleIndex(definitions);
  const earning: Earning = { unlocked: user.unlocked, found: [] };
  judgeUser(index, user, earning);
  if (player !== undefined) judgePlayer(index, player, earning);
  return earning.found.sort((a, b) => a.id - b.id);
}

function judgeUser(index: RuleIndex, { titles, ratingsGiven }: Progress['user'], earning: Earning): void {
  let [total, played] = [0, 0];
  for (const { titleId, minutes } of titles) {
    if (minutes <= 0) continue;
    total += minutes;
    played += 1;
    reached(index.playMinutesInTitle.get(titleId), minutes, earning);
  }
  reached(index.playMinutes, total, earning);
  reached(index.titlesPlayed, played, earning);
  reached(index.ratingsGiven, ratingsGiven, earning);
}

function judgePlayer(index: RuleIndex, { hosted, standings }: PlayerRecord, earning: Earning): void {
  reached(index.sessionsHosted, hosted, earning);
  let [boards, best] = [0, Infinity];
  const bestInTitle = new Map<string, number>();
  for (const [board, { rank }] of standings) {
    if (rank === null) continue;
    boards += 1;
    best = Math.min(best, rank);
    if (index.rankInTitle.size === 0) continue;
    const titleId = board.slice(0, board.indexOf(':'));
    if (index.rankInTitle.has(titleId)) bestInTitle.set(titleId, Math.min(bestInTitle.get(titleId) ?? Infinity, rank));
  }
  reached(index.leaderboardsOn, boards, earning);
  asGoodAs(index.rank, best, earning);
  for (const [titleId, rank] of bestInTitle) asGoodAs(index.rankInTitle.get(titleId), rank, earning);
}

function reached(rules: readonly Bounded[] | undefined, value: number, earning: Earning): void {
  if (rules === undefined) return;
  for (const { bound, definition } of rules) {
    if (value < bound) return;
    take(definition, earning);
  }
}

function asGoodAs(rules: readonly Bounded[] | undefined, rank: number, earning: Earning): void {
  if (rules === undefined) return;
  for (const { bound, definition } of rules) {
    if (rank > bound) return;
    take(definition, earning);
  }
}

function take(definition: Definition, { unlocked, found }: Earning): void {
  if (!unlocked.includes(definition.id)) found.push(definition);
}
