import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from '../definitions/definitions.ts';
import { fulfilmentTimes } from '../achievements/fulfilment-times.ts';
import { playerKey, type PlayerRecord, type RankTime, type Standing } from '../users/user-record.ts';
import { knownPlayer, planPlayers, type PlayerState } from './plan-players.ts';
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
        const standing: Standing = { rank, revision, best: rank === null ? [] : [[at, rank]] };
        boards.set(board, mergeStandings(boards.get(board), standing));
      }
      return { players };
    });
}

/** An outdated rank still counts for the rules about ranks. */
export function planRanks(updates: readonly Standings[], known: PlayerState, definitions: Definitions): UserCommitPlan {
  const changed = new Map<string, PlayerRecord>();
  for (const { players } of updates) {
    for (const [key, boards] of players) {
      const player = changed.get(key) ?? knownPlayer(known, key);
      if (player === undefined) continue;
      const moved = [...boards].flatMap(([board, standing]): [string, Standing][] => {
        const before = player.standings.get(board);
        const after = mergeStandings(before, standing);
        return after === before ? [] : [[board, after]];
      });
      if (moved.length === 0) continue;
      const standings = new Map([...player.standings, ...moved].sort(([a], [b]) => (a < b ? -1 : 1)));
      changed.set(key, { ...player, standings });
    }
  }
  return planPlayers([...changed.values()], known, ({ standings }) => fulfilmentTimes(definitions, { standings }));
}

/** Returns `one` itself without a change. */
function mergeStandings(one: Standing | undefined, other: Standing): Standing {
  if (one === undefined) return other;
  const { rank, revision } = isLater(other, one) ? other : one;
  const best = mergeBest(one.best, other.best);
  return rank === one.rank && revision === one.revision && best === one.best ? one : { rank, revision, best };
}

/** In order of time, each rank better than all before. Returns `one` itself without a change. */
function mergeBest(one: Standing['best'], other: Standing['best']): Standing['best'] {
  const all = [...one, ...other].sort(([at, rank], [otherAt, otherRank]) => at - otherAt || rank - otherRank);
  const best: RankTime[] = [];
  for (const some of all) if (some[1] < (best.at(-1)?.[1] ?? Infinity)) best.push(some);
  return best.length === one.length && best.every((some, index) => isSame(some, one[index])) ? one : best;
}

function isSame([at, rank]: RankTime, other: RankTime | undefined): boolean {
  return at === other?.[0] && rank === other[1];
}

/** The better rank wins on a tie, so order doesn't matter. */
function isLater(one: Standing, other: Standing): boolean {
  if (one.revision !== other.revision) return one.revision > other.revision;
  return (one.rank ?? Infinity) < (other.rank ?? Infinity);
}
