import { DAY_SECONDS, formatInstant, parseInstant, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { FEED_MAX_BYTES } from '../sources/feeds/parse-feed.parse.ts';
import { UnparseablePageError } from '../network/page-failures.ts';
import type { HttpResponse } from '../sources/client/http-response.ts';
import type { RateLimitedClient } from '../sources/client/rate-limited-client.http.ts';
import type { Parse, ReadingOf } from '../sources/parsing/parsers.node.ts';
import type { Time } from '../time/time.ts';
import type { BoardHistory, PastBoard, PlayerHistory, ReadPart, SnapshotHistory } from '../network/history.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: FEED_MAX_BYTES };

/** Titles and matches of the slots that are read at once, a day: they are in memory together. */
const ROWS_MAX = 1_000_000;

export interface HistorySource {
  client: RateLimitedClient;
  parse: Parse;
  time: Time;
  url: string;
}

export function createHistoryFeed(source: HistorySource): SnapshotHistory {
  return {
    async *slots(from, to) {
      let [after, rows] = [from - 1, 0];
      for await (const observation of elements('pastSlots', from, to, {})) {
        after = expectNext(observation.slot, after, to);
        rows += observation.titles.reduce((sum, { matches }) => sum + 1 + (matches?.length ?? 0), 0);
        if (rows > ROWS_MAX) throw new UnparseablePageError(`it has more than ${ROWS_MAX} rows`, { isFinal: true });
        yield observation;
      }
    },
    async *days(from, to) {
      let after = from - 1;
      for await (const day of elements('pastDays', from, to, { step: String(DAY_SECONDS) })) {
        after = expectNext(day.seenAt, after, to);
        yield day;
      }
    },
  };

  async function* elements<Name extends 'pastSlots' | 'pastDays'>(
    parser: Name,
    from: EpochSeconds,
    to: EpochSeconds,
    query: Record<string, string>,
  ): AsyncGenerator<ReadingOf<Name>['elements'][number]> {
    for (let next: EpochSeconds | undefined = from; next !== undefined;) {
      const { body } = expectOk(source, await get(source, next, to, query));
      const part: ReadingOf<Name> = await source.parse(parser, body);
      yield* part.elements;
      const following: EpochSeconds | undefined = part.next === null ? undefined : parseInstant(part.next);
      if (following !== undefined && following <= next) throw new UnparseablePageError('its `next` does not advance');
      next = following;
    }
  }
}

export function createBoardHistoryFeed(source: HistorySource): BoardHistory {
  const readPart = createPartReader(source, 'pastBoards');
  return {
    async part(from, to, cursor) {
      const part = await readPart(from, to, cursor);
      if (part !== undefined) expectInOrder(part.boards, from, to);
      return part;
    },
  };
}

export function createPlayerHistoryFeed(source: HistorySource): PlayerHistory {
  return { part: createPartReader(source, 'pastPlayers') };
}

function createPartReader<Name extends 'pastBoards' | 'pastPlayers'>(
  source: HistorySource,
  parser: Name,
): ReadPart<ReadingOf<Name>> {
  return async (from, to, cursor) => {
    const response = await get(source, from, to, cursor === null ? {} : { cursor });
    if (response.status === 404 && cursor === null) return undefined;
    const part = await source.parse(parser, expectOk(source, response).body);
    if (part.next !== null && part.next === cursor) throw new UnparseablePageError('its `next` does not advance');
    return part;
  };
}

/** The backfills send few requests in total, so theirs come first. */
async function get(
  { client, time, url }: HistorySource,
  from: EpochSeconds,
  to: EpochSeconds,
  more: Record<string, string>,
): Promise<HttpResponse> {
  const query = new URLSearchParams({ from: formatInstant(from), to: formatInstant(to), ...more });
  const when = { deadlineMs: time.now() + DAY_SECONDS * 1000, urgency: 'first' } as const;
  return client.get(`${url}?${query.toString()}`, { Accept: 'application/json' }, LIMITS, when);
}

function expectOk({ url }: HistorySource, response: HttpResponse): HttpResponse {
  if (response.status === 200) return response;
  throw new AppError('unavailable', `The history feed ${url} returned status ${response.status}`);
}

/** Each instant is later than the one before, so that a range has a bounded number of them. */
function expectNext(instant: string, after: EpochSeconds, to: EpochSeconds): EpochSeconds {
  const seconds = parseInstant(instant);
  if (seconds > after && seconds < to) return seconds;
  throw new UnparseablePageError(`it has ${instant}, which is outside of the requested range or not in order`);
}

function expectInOrder(boards: readonly PastBoard[], from: EpochSeconds, to: EpochSeconds): void {
  let previous = from;
  for (const { pass } of boards) {
    if (pass < previous || pass >= to) {
      throw new UnparseablePageError(
        `it has ${formatInstant(pass)}, which is outside of the requested range or not in order`,
      );
    }
    previous = pass;
  }
}
