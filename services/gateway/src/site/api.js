/** Reads the page's data from the API, validated and reduced to the fields shown. Instants are epoch seconds. */

import { readGames } from './games.js';

/** @typedef {import('./series.js').Point} Point */
/** @typedef {{ count: number, at: number | undefined }} Peak */
/**
 * @typedef {object} Data
 * @property {Point[]} online
 * @property {Point[]} lobbies
 * @property {number[]} registered by day
 * @property {import('./games.js').Game[]} games
 * @property {{ online: Peak, lobbies: Peak, active: number }} summary of the last 24 hours
 */

/** @type {[keyof Data, string, (body: any) => unknown][]} */
const sources = [
  ['online', '/api/service-stats/online-24h', readSeries('online_count')],
  ['lobbies', '/api/service-stats/lobbies-24h', readSeries('lobby_count')],
  // Two days: in its first minutes today has no count.
  ['registered', '/api/service-stats/daily-registered?days=2', (rows) => rows.map(readCount('registered_count'))],
  ['games', '/api/online-users', readGames],
  ['summary', '/api/online-users/summary', readSummary],
];

/** @typedef {Awaited<ReturnType<typeof loadAll>>} Answer */

/** Loads all parts in parallel; never rejects. */
export async function loadAll() {
  const answer = {
    data: /** @type {Partial<Data>} */ ({}),
    /** Parts that failed to load. @type {string[]} */
    failed: [],
    /** Slot of the games. @type {number | undefined} */
    gamesAt: undefined,
    /** Seconds that the server's clock is ahead. @type {number | undefined} */
    clockOffset: undefined,
    /** Seconds until something new is due. */
    maxAge: Infinity,
    /** Seconds of the longest `Retry-After`. */
    retryAfter: 0,
  };
  await Promise.all(
    sources.map(async ([part, path, read]) => {
      try {
        const response = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(15_000) });
        readHeaders(answer, part, response.headers);
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
        Object.assign(answer.data, { [part]: read(await response.json()) });
      } catch {
        answer.failed.push(part);
      }
    }),
  );
  return answer;
}

/** @param {Answer} answer @param {string} part @param {Headers} headers */
function readHeaders(answer, part, headers) {
  const instant = (/** @type {string} */ name) => Date.parse(headers.get(name) ?? '') / 1000 || undefined;
  const age = Number(headers.get('age'));
  const sent = instant('date');
  if (sent) answer.clockOffset = sent + age - Date.now() / 1000;
  if (part === 'games') answer.gamesAt = instant('last-modified');
  const maxAge = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0) - age;
  if (maxAge > 0) answer.maxAge = Math.min(answer.maxAge, maxAge);
  answer.retryAfter = Math.max(answer.retryAfter, Number(headers.get('retry-after')) || 0);
}

/** The API's `YYYY-MM-DD HH:MM:SS` is in UTC. @param {unknown} text */
export const readTime = (text) => Date.parse(`${text}Z`.replace(' ', 'T')) / 1000 || undefined;

/** @param {string} field */
function readCount(field) {
  return (/** @type {Record<string, any>} */ row) => {
    if (!Number.isFinite(row[field])) throw new TypeError(field);
    return Number(row[field]);
  };
}

/** @param {string} field */
function readSeries(field) {
  const count = readCount(field);
  return (/** @type {any[]} */ rows) => rows.map((row) => ({ at: readTime(row.recorded_at), count: count(row) }));
}

/** @param {any} body */
function readSummary(body) {
  return {
    online: { count: readCount('peakOnline')(body), at: readTime(body.peakOnlineAt) },
    lobbies: { count: readCount('peakLobbies')(body), at: readTime(body.peakLobbiesAt) },
    active: readCount('gamesWithActivityCount')(body),
  };
}
