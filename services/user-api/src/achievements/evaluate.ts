import type { Definition, Definitions } from './definitions.ts';
import type { Progress } from './progress.ts';
import { ruleIndex, type BoundedRule, type RuleIndex } from './rule-index.ts';
import type { PlayerRecord } from '../users/user-record.ts';

interface EvaluationState {
  readonly unlocked: readonly number[];
  readonly found: Definition[];
}

/**
 * Newly fulfilled achievements, by id. Lists of rules are sorted, and each is read up to the first unfulfilled one,
 * since this runs for every online user every five minutes.
 */
export function newlyFulfilled(definitions: Definitions, { user, player }: Progress): Definition[] {
  const index = ruleIndex(definitions);
  const earning: EvaluationState = { unlocked: user.unlocked, found: [] };
  evaluateUserRules(index, user, earning);
  if (player !== undefined) evaluatePlayerRules(index, player, earning);
  return earning.found.sort((a, b) => a.id - b.id);
}

function evaluateUserRules(
  index: RuleIndex,
  { titles, ratingsGiven }: Progress['user'],
  earning: EvaluationState,
): void {
  let [total, played] = [0, 0];
  for (const { titleId, minutes } of titles) {
    if (minutes <= 0) continue;
    total += minutes;
    played += 1;
    collectReachedMinimums(index.playMinutesInTitle.get(titleId), minutes, earning);
  }
  collectReachedMinimums(index.playMinutes, total, earning);
  collectReachedMinimums(index.titlesPlayed, played, earning);
  collectReachedMinimums(index.ratingsGiven, ratingsGiven, earning);
}

function evaluatePlayerRules(index: RuleIndex, { hosted, standings }: PlayerRecord, earning: EvaluationState): void {
  collectReachedMinimums(index.sessionsHosted, hosted, earning);
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
  collectReachedMinimums(index.leaderboardsOn, boards, earning);
  collectReachedRanks(index.rank, best, earning);
  for (const [titleId, rank] of bestInTitle) collectReachedRanks(index.rankInTitle.get(titleId), rank, earning);
}

function collectReachedMinimums(
  rules: readonly BoundedRule[] | undefined,
  value: number,
  earning: EvaluationState,
): void {
  if (rules === undefined) return;
  for (const { bound, definition } of rules) {
    if (value < bound) return;
    addUnlessUnlocked(definition, earning);
  }
}

function collectReachedRanks(rules: readonly BoundedRule[] | undefined, rank: number, earning: EvaluationState): void {
  if (rules === undefined) return;
  for (const { bound, definition } of rules) {
    if (rank > bound) return;
    addUnlessUnlocked(definition, earning);
  }
}

function addUnlessUnlocked(definition: Definition, { unlocked, found }: EvaluationState): void {
  if (!unlocked.includes(definition.id)) found.push(definition);
}
