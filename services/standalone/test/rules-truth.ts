import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameKey } from '@lobbystats/contracts';
import { minutesByTitle, type PersonTruth } from './people-truth.ts';
import { bestRanks, type Places } from './ranks-truth.ts';

type Rule =
  | { kind: 'play-minutes'; minutes: number }
  | { kind: 'play-minutes-in-title'; titleId: string; minutes: number }
  | { kind: 'titles-played' | 'leaderboards-on' | 'ratings-given' | 'sessions-hosted'; count: number }
  | { kind: 'leaderboard-rank'; rank: number; titleId?: string };

/** An achievement of the file. */
export interface FileAchievement {
  id: number;
  key: string;
  name: string;
  points: number;
  groupId: string;
  isHidden?: boolean;
  rule: Rule;
}

/** The achievements of the repository's own file. */
export const fileAchievements = readAchievements();

function readAchievements(): FileAchievement[] {
  const file = readFileSync(join(import.meta.dirname, '../../../infra/achievements.json'), 'utf8');
  return (JSON.parse(file) as { achievements: FileAchievement[] }).achievements;
}

/** Where a player has stood: in passes after which everybody had surely heard of it, and in all. */
export interface Standings {
  readonly surely: readonly Places[];
  readonly ever: readonly Places[];
}

/** Achievements that somebody must have, and those that they may have: ranks that passed may have been heard of or not. */
export function earnedBy(
  person: PersonTruth,
  { surely, ever }: Standings,
  ratingsGiven: number,
): { must: Set<number>; may: Set<number> } {
  const minutes = minutesByTitle(person);
  const total = [...minutes.values()].reduce((sum, value) => sum + value, 0);
  const ranksIn = (places: readonly Places[]) =>
    places.map((all) => bestRanks(all.get(nameKey(person.gamertag)) ?? []));
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
  // What one had heard of each board need not be of one pass.
  const together = new Map<string, number>();
  for (const ranks of ranksIn([...surely, ...ever])) {
    for (const [board, rank] of ranks) together.set(board, Math.min(together.get(board) ?? Infinity, rank));
  }
  const { hosted, maybeHosted } = person;
  return {
    must: idsOf(ranksIn(surely), hosted.size),
    may: idsOf([together], new Set([...hosted, ...maybeHosted]).size),
  };
}
