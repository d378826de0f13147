import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameKey } from '@lobbystats/contracts';
import { minutesByTitle, type ExpectedUser } from './expected-users.ts';
import { bestRanks, type EntriesByPlayer } from './expected-entries.ts';

type Rule =
  | { kind: 'play-minutes'; minutes: number }
  | { kind: 'play-minutes-in-title'; titleId: string; minutes: number }
  | { kind: 'titles-played' | 'leaderboards-on' | 'ratings-given' | 'sessions-hosted'; count: number }
  | { kind: 'leaderboard-rank'; rank: number; titleId?: string };

/** An achievement in infra/achievements.json. */
export interface FileAchievement {
  id: number;
  key: string;
  name: string;
  points: number;
  groupId: string;
  isHidden?: boolean;
  rule: Rule;
}

/** The achievements in infra/achievements.json. */
export const fileAchievements = readAchievements();

function readAchievements(): FileAchievement[] {
  const file = readFileSync(join(import.meta.dirname, '../../../../infra/achievements.json'), 'utf8');
  return (JSON.parse(file) as { achievements: FileAchievement[] }).achievements;
}

/** Entries in passes that were certainly processed, and in all passes. */
export interface EntryHistory {
  readonly observed: readonly EntriesByPlayer[];
  readonly possible: readonly EntriesByPlayer[];
}

/** Achievements that a user must have, and those they may have: short-lived ranks may have been processed or not. */
export function expectedUnlocks(
  user: ExpectedUser,
  { observed, possible }: EntryHistory,
  ratingsGiven: number,
): { must: Set<number>; may: Set<number> } {
  const minutes = minutesByTitle(user);
  const total = [...minutes.values()].reduce((sum, value) => sum + value, 0);
  const ranksIn = (passes: readonly EntriesByPlayer[]) =>
    passes.map((all) => bestRanks(all.get(nameKey(user.gamertag)) ?? []));
  const isFulfilled = (rule: Rule, ranks: ReadonlyMap<string, number>, hosted: number): boolean => {
    switch (rule.kind) {
      case 'play-minutes':
        return total >= rule.minutes;
      case 'play-minutes-in-title':
        return (minutes.get(rule.titleId) ?? 0) >= rule.minutes;
      case 'titles-played':
        return minutes.size >= rule.count;
      case 'ratings-given':
        return ratingsGiven >= rule.count;
      case 'sessions-hosted':
        return hosted >= rule.count;
      case 'leaderboards-on':
        return ranks.size >= rule.count;
      case 'leaderboard-rank':
        return [...ranks].some(([board, rank]) => rank <= rule.rank && board.startsWith(rule.titleId ?? ''));
    }
  };
  const idsOf = (standings: readonly ReadonlyMap<string, number>[], hosted: number) =>
    new Set(
      fileAchievements
        .filter(({ rule }) => standings.some((ranks) => isFulfilled(rule, ranks, hosted)))
        .map(({ id }) => id),
    );
  // The processed ranks of different boards may be from different passes.
  const together = new Map<string, number>();
  for (const ranks of ranksIn([...observed, ...possible])) {
    for (const [board, rank] of ranks) together.set(board, Math.min(together.get(board) ?? Infinity, rank));
  }
  const { hostedSlots, maybeHostedSlots } = user;
  return {
    must: idsOf(ranksIn(observed), hostedSlots.size),
    may: idsOf([together], new Set([...hostedSlots, ...maybeHostedSlots]).size),
  };
}
