import type { PlayerRecord, UserRecord } from '../users/user-record.ts';
import type { Definition, Definitions } from '../definitions/definitions.ts';
import { ruleIndex, type BoundedRule, type RuleIndex } from '../definitions/rule-index.ts';

export interface Progress {
  readonly user: Pick<UserRecord, 'titles' | 'ratingsGiven' | 'unlocked'>;
  readonly player: PlayerRecord | undefined;
}

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
  for (const [board, standing] of standings) {
    const rank = standing.best.at(-1)?.[1];
    if (rank === undefined) continue;
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

function collectReachedMinimums(rules: Rules, value: number, earning: EvaluationState): void {
  collectWhile(rules, (bound) => value >= bound, earning);
}

function collectReachedRanks(rules: Rules, rank: number, earning: EvaluationState): void {
  collectWhile(rules, (bound) => rank <= bound, earning);
}

type Rules = readonly BoundedRule[] | undefined;

function collectWhile(rules: Rules = [], isReached: (bound: number) => boolean, earning: EvaluationState): void {
  const { unlocked, found } = earning;
  for (const { bound, definition } of rules) {
    if (!isReached(bound)) return;
    if (!unlocked.includes(definition.id)) found.push(definition);
  }
}
