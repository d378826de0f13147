import {
  DAY_SECONDS,
  formatTimestamp,
  HISTORY_HOURS_MAX,
  HOUR_SECONDS,
  parseInstant,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { ApiError, type Client } from '@lobbystats/client/source';
import type { Column, Row } from './parquet-file.ts';

/** A UTC day and the API that has its data. */
interface DaySource {
  readonly client: Client;
  /** The day as YYYY-MM-DD. */
  readonly date: string;
  /** The first second of the day. */
  readonly from: EpochSeconds;
  readonly now: EpochSeconds;
}

/** One file for each day. */
export interface Dataset {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: (source: DaySource) => AsyncGenerator<Row, void, undefined>;
}

const GAMES_PAGE = 500;
const ENTRIES_PAGE = 1000;
const CHANGES_PAGE = 500;

const time = (name: string): Column => ({ name, type: 'TIMESTAMP' });
const text = (name: string): Column => ({ name, type: 'STRING' });
const integer = (name: string): Column => ({ name, type: 'INT32' });
const optional = (column: Column): Column => ({ ...column, nullable: true });
const GAME = [text('title_id'), text('game')];

/** All of them, in the order of their files. */
export const datasets: readonly Dataset[] = [
  {
    name: 'network',
    columns: [time('recorded_at'), integer('online'), optional(integer('lobbies'))],
    rows: networkRows,
  },
  { name: 'snapshots', columns: [time('recorded_at'), ...GAME, integer('online')], rows: snapshotRows },
  {
    name: 'matches',
    columns: [
      ...[text('id'), ...GAME, text('host'), time('started_at'), time('ended_at')],
      ...[integer('players'), integer('peak_players'), integer('max_players')],
    ],
    rows: matchRows,
  },
  {
    name: 'leaderboards',
    columns: [
      ...[...GAME, integer('leaderboard_id'), text('leaderboard'), integer('rank'), text('player')],
      ...[text('rating'), optional(integer('time_ms'))],
    ],
    rows: leaderboardRows,
  },
  {
    name: 'changes',
    columns: [
      ...[{ name: 'id', type: 'INT64' } as const, time('changed_at'), text('type'), ...GAME],
      ...[integer('leaderboard_id'), text('leaderboard'), text('player')],
      ...[optional(integer('old_rank')), optional(integer('new_rank'))],
      ...[optional(text('old_rating')), optional(text('new_rating'))],
      ...[optional(integer('old_time_ms')), optional(integer('new_time_ms'))],
    ],
    rows: changeRows,
  },
];

async function* networkRows({ client, from, now }: DaySource) {
  const days = Math.ceil((now - from) / DAY_SECONDS);
  const lobbies = await client.getLobbySeries({ days });
  const countAt = new Map(lobbies.map(({ recorded_at, lobby_count }) => [recorded_at, lobby_count]));
  for (const { recorded_at, online_count } of await client.getOnlineSeries({ days })) {
    if (!isOfDay(recorded_at, from)) continue;
    yield { recorded_at: toDate(recorded_at), online: online_count, lobbies: countAt.get(recorded_at) ?? null };
  }
}

async function* snapshotRows(source: DaySource) {
  const { client, from } = source;
  for await (const game of games(client)) {
    const hours = hoursSince(source);
    const { history } = await client.getTitleOnlineHistory({ titleId: game.title_id, hours });
    for (const { recorded_at, online_count } of history) {
      if (isOfDay(recorded_at, from)) yield { recorded_at: toDate(recorded_at), ...game, online: online_count };
    }
  }
}

/** Matches by the day of their end. */
async function* matchRows(source: DaySource) {
  const { client, from } = source;
  for await (const game of games(client)) {
    const hours = hoursSince(source);
    const { matches } = await client.getMatchHistory({ titleId: game.title_id, hours });
    for (const match of matches) {
      if (!isOfDay(match.endedAt, from)) continue;
      yield {
        id: match.id,
        ...game,
        host: match.hostName,
        started_at: toDate(match.startedAt),
        ended_at: toDate(match.endedAt),
        players: match.currentPlayers,
        peak_players: match.peakPlayers,
        max_players: match.maxPlayers,
      };
    }
  }
}

/** Each leaderboard as it stood at the end of the day; those that were found later are left out. */
async function* leaderboardRows({ client, date }: DaySource) {
  for await (const game of games(client)) {
    for (const { id, name } of await client.listLeaderboards({ titleId: game.title_id })) {
      const board = { titleId: game.title_id, leaderboardId: id, at: date, limit: ENTRIES_PAGE };
      try {
        for await (const { name: player, rank, rating, isTime, timeMs } of client.items('getLeaderboard', board)) {
          const place = { ...game, leaderboard_id: id, leaderboard: name, rank: Number(rank), player };
          yield { ...place, rating, time_ms: isTime ? timeMs : null };
        }
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      }
    }
  }
}

async function* changeRows({ client, from }: DaySource) {
  const oldestFirst = { since: formatTimestamp(from), after: 0, limit: CHANGES_PAGE };
  for await (const change of client.items('listChanges', oldestFirst)) {
    if (!isOfDay(change.changedAt, from)) return;
    yield {
      id: BigInt(change.id),
      changed_at: toDate(change.changedAt),
      type: change.type,
      title_id: change.titleId,
      game: change.gameName,
      leaderboard_id: change.leaderboardId,
      leaderboard: change.leaderboardName,
      player: change.playerName,
      old_rank: change.oldRank,
      new_rank: change.newRank,
      old_rating: change.oldRating,
      new_rating: change.newRating,
      old_time_ms: change.oldTimeMs,
      new_time_ms: change.newTimeMs,
    };
  }
}

async function* games(client: Client) {
  for await (const { titleId, name } of client.items('listGames', { limit: GAMES_PAGE })) {
    yield { title_id: titleId, game: name };
  }
}

/** The hours from the beginning of the day until now, which moves on during an export. */
function hoursSince({ from, now }: DaySource): number {
  return Math.min(Math.ceil((now - from) / HOUR_SECONDS) + 1, HISTORY_HOURS_MAX);
}

function isOfDay(timestamp: string, from: EpochSeconds): boolean {
  const at = parseInstant(timestamp);
  return at >= from && at < from + DAY_SECONDS;
}

function toDate(timestamp: string): Date {
  return new Date(parseInstant(timestamp) * 1000);
}
