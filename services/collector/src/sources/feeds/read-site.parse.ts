import {
  BOARD_NAME_MAX,
  networkId,
  observedEntry,
  PLAYER_NAME_MAX,
  titleId,
  type ObservedEntry,
} from '@lobbystats/contracts';
import { z } from 'zod';
import { UnparseablePageError } from '../../network/page-failures.ts';
import type { BoardPageReading, GamePageReading, HomepageReading } from '../../network/network.ts';
import type { RatingRule } from '../descriptions/source-description.ts';
import { descriptionOf } from '../descriptions/built-in.ts';
import { toAbsoluteUrl } from '../pages/pictures.parse.ts';
import { expectRanks } from '../pages/read-board-page.parse.ts';
import { readCount, readReleaseDate, readTime, timesOfRawRatings } from '../pages/values.ts';
import { parseFeed, validate } from './parse-feed.parse.ts';

const MAX_COUNT = 1_000_000_000;
const DAY_MS = 86_400_000;

/** A number, or a text as pages write it. */
const amount = z
  .union([z.number(), z.string().transform((text) => readCount(text.trim()) ?? Number.NaN)])
  .pipe(z.int().min(0).max(MAX_COUNT));
const line = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\uFFFD'), 'has characters that could not be decoded')
  .transform((text) => text.replace(/\s+/g, ' ').trim());
const optionalLine = line.nullish().transform((text) => text ?? '');
const id = z.union([
  networkId,
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(networkId),
]);
const playerName = line.pipe(z.string().min(1).max(PLAYER_NAME_MAX));

const homepage = z.object({
  registered: amount.nullish(),
  online: amount,
  titles: z.array(
    z.object({
      titleId: z.string().toLowerCase().pipe(titleId),
      name: optionalLine,
      publisher: optionalLine,
      productCode: optionalLine,
      image: z.string().nullish(),
      online: amount,
      sessions: amount.nullish(),
      players: amount.nullish(),
    }),
  ),
});

/**
 * Reads the counts of a site from JSON of the form that a template makes.
 *
 * @throws UnparseablePageError when a value can't be read, or a game has more users than the site
 */
export function readSiteCounts(text: string, { baseUrl = '' }: { baseUrl?: string }): HomepageReading {
  const { registered, online, titles } = validate(homepage, parseFeed(text));
  if (new Set(titles.map((title) => title.titleId)).size < titles.length) {
    throw new UnparseablePageError('it has two games of one title ID');
  }
  const most = Math.max(0, ...titles.map((title) => title.online));
  if (most > online) throw new UnparseablePageError(`a game has ${most} users online, the site ${online}`);
  return {
    registered: registered ?? null,
    online,
    titles: titles.map(({ image, sessions, players, ...title }) => ({
      ...title,
      image: toAbsoluteUrl(image ?? '', baseUrl),
      activity: isGiven(sessions) && isGiven(players) ? { sessions, players } : null,
    })),
  };
}

const game = z.object({
  title: line.nullish(),
  publisher: optionalLine,
  releaseDate: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  matches: z.array(z.object({ host: playerName, players: amount, maxPlayers: amount.nullish() })).nullish(),
  boards: z.array(z.object({ id, name: optionalLine })).nullish(),
});

/** Reads matches, metadata and leaderboards of a game. @throws UnparseablePageError when a value can't be read */
export function readGame(text: string): GamePageReading {
  const { title, publisher, releaseDate, matches, boards } = validate(game, parseFeed(text));
  const full = matches?.find(
    ({ players, maxPlayers }) => isGiven(maxPlayers) && maxPlayers > 0 && players > maxPlayers,
  );
  if (full !== undefined) throw new UnparseablePageError(`a match has ${full.players} of ${full.maxPlayers} players`);
  const named = boards?.filter(({ name }) => name.length <= BOARD_NAME_MAX) ?? [];
  return {
    matches: matches?.map(({ maxPlayers, ...match }) => ({ ...match, maxPlayers: maxPlayers ?? 0 })) ?? null,
    metadata: !isGiven(title) ? null : { title, publisher, releaseDate: readReleaseDate(releaseDate.slice(0, 40)) },
    boards: named.length > 0 ? named : null,
  };
}

const board = z.object({
  entries: z.array(
    z.object({
      rank: amount.pipe(z.int().positive()).nullish(),
      name: playerName,
      /** A time in milliseconds, or as pages write it. */
      time: z.union([z.int().nonnegative().max(DAY_MS), z.string()]).nullish(),
      score: z.union([z.number(), z.string()]).nullish(),
    }),
  ),
  next: z.unknown().optional(),
});

const TIMES = descriptionOf('leaderboards').formats?.time;

/**
 * Reads a page of a leaderboard.
 *
 * @throws UnparseablePageError when a value can't be read, times and scores are mixed, ranks fall, or the first page begins at a later rank
 */
export function readBoardEntries(
  text: string,
  { rule, page = 1 }: { rule?: RatingRule | undefined; page?: number },
): BoardPageReading {
  const { entries, next } = validate(board, parseFeed(text));
  const isTime = isGiven(entries[0]?.time);
  const rows = entries.map(({ rank, name, time, score }, index): ObservedEntry => {
    const value = isTime ? time : score;
    if (!isGiven(value)) throw new UnparseablePageError(`entry ${index + 1} has no ${isTime ? 'time' : 'score'}`);
    const timeMs = !isTime ? 0 : typeof value === 'number' ? value : readTime(value, TIMES);
    if (timeMs === undefined) throw new UnparseablePageError(`entry ${index + 1} has no readable time`);
    const rating = isTime && typeof value === 'number' ? formatLapTime(value) : String(value).trim();
    return validate(observedEntry, {
      rank: rank ?? index + 1,
      name,
      rating,
      timeMs,
    });
  });
  expectRanks(rows, { number: page });
  const hasNext = next !== undefined && next !== null && next !== false && next !== '';
  // Scores of JSON are times only where a rule says so.
  const isRaw = !isTime && rule?.rawTime !== undefined;
  const times = isRaw
    ? timesOfRawRatings(
        rows.map(({ rating }) => rating),
        rule.rawTime,
      )
    : undefined;
  if (times === undefined) return { isTime, rows, hasNext };
  return { isTime: true, rows: rows.map((row, index) => ({ ...row, timeMs: times[index] ?? 0 })), hasNext };
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}

/** As pages write it: `00:49.300`. */
function formatLapTime(ms: number): string {
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1000) % 60];
  return `${String(minutes).padStart(2, '0')}:${String(seconds).padStart(2, '0')}.${String(ms % 1000).padStart(3, '0')}`;
}
