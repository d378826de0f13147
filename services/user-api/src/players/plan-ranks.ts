import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from '../achievements/definitions.ts';
import { playerKey, type Standing } from '../users/user-record.ts';
import { PlayerChangeSet, createPlayerRecord, type PlayerState } from './player-change-set.ts';
import type { UserCommitPlan } from '../users/user-commit-plan.ts';

interface AnnouncedRank {
  readonly gamertag: string;
  readonly titleId: string;
  readonly leaderboardId: number;
  readonly rank: number | null;
}

export interface AnnouncedRanks {
  readonly at: EpochSeconds;
  readonly revision: number;
  readonly ranks: readonly AnnouncedRank[];
}

export interface Standings {
  readonly at: EpochSeconds;
  readonly players: ReadonlyMap<string, ReadonlyMap<string, Standing>>;
}

export function standingsOf(messages: readonly AnnouncedRanks[]): Standings[] {
  return messages
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ at, revision, ranks }) => {
      const players = new Map<string, Map<string, Standing>>();
      for (const { gamertag, titleId, leaderboardId, rank } of ranks) {
        const key = playerKey(gamertag);
        if (key === undefined) continue;
        let boards = players.get(key);
        if (boards === undefined) players.set(key, (boards = new Map<string, Standing>()));
        const board = `${titleId}:${leaderboardId}`;
        const standing = { rank, revision };
        if (isLater(standing, boards.get(board))) boards.set(board, standing);
      }
      return { at, players };
    });
}

/** An outdated rank still counts for rank rules, for the current owner of the gamertag. */
export function planRanks(updates: readonly Standings[], known: PlayerState, definitions: Definitions): UserCommitPlan {
  const draft = new PlayerChangeSet(known);
  const rankRules = rankRulesOf(definitions);
  for (const { at, players } of updates) {
    for (const [key, boards] of players) {
      const player = draft.player(key);
      if (player === undefined) continue;
      const later = [...boards].filter(([board, standing]) => isLater(standing, player.standings.get(board)));
      if (later.length > 0) {
        const standings = new Map([...player.standings, ...later].sort(([a], [b]) => (a < b ? -1 : 1)));
        const moved = { ...player, standings };
        draft.put(moved);
        draft.evaluate(moved, definitions, at);
      }
      if (later.length < boards.size) draft.evaluate({ ...createPlayerRecord(key), standings: boards }, rankRules, at);
    }
  }
  return draft.toPlan();
}

/** The better rank wins on a tie, so order doesn't matter. */
function isLater(one: Standing, other: Standing | undefined): boolean {
  if (one.revision !== other?.revision) return one.revision > (other?.revision ?? -1);
  return (one.rank ?? Infinity) < (other.rank ?? Infinity);
}

const rankRulesCache = new WeakMap<Definitions, Definitions>();

function rankRulesOf(definitions: Definitions): Definitions {
  const known = rankRulesCache.get(definitions);
  if (known !== undefined) return known;
  const rules = { ...definitions, all: definitions.all.filter(({ rule }) => rule.kind === 'leaderboard-rank') };
  rankRulesCache.set(definitions, rules);
  return rules;
}
