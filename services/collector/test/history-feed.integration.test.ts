import { createHistoryFeed } from '../src/backfills/history-feeds.http.ts';
import type { RateLimitedClient } from '../src/sources/client/rate-limited-client.http.ts';
import { testParser } from './test-parser.ts';

const { parse } = testParser();

const FROM = Date.UTC(2026, 0, 15) / 1000;
const TO = FROM + 600;

function clientOf(respond: (url: string) => { status: number; body: string }): RateLimitedClient {
  return {
    ask: () => Promise.reject(new Error('only GET')),
    get: async (url) => {
      const { status, body } = respond(url);
      await Promise.resolve();
      return { status, header: () => undefined, body: Buffer.from(body), receivedMs: TO * 1000, quietMs: 0 };
    },
  };
}

/** A feed that responds with these bodies in order. */
function feedOf(...bodies: unknown[]) {
  const asked: string[] = [];
  const client = clientOf((url) => {
    asked.push(new URL(url).search);
    const body = bodies.shift();
    return { status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) };
  });
  const time = { now: () => TO * 1000, sleep: () => Promise.resolve() };
  return { asked, feed: createHistoryFeed({ client, parse, time, url: 'http://network.example/history' }) };
}

const slot = (instant: string, more: object = {}) => ({ slot: instant, registered: 9, online: 7, titles: [], ...more });
const answer = (slots: unknown[], next: string | null = null) => ({ slots, next });
const title = { titleId: '4D530064', online: 3, matches: [{ host: '__proto__', players: 2 }] };

describe('createHistoryFeed', () => {
  it('reads all parts of the feed', async () => {
    const { feed, asked } = feedOf(
      answer([slot('2026-01-15T00:00:00Z', { titles: [title] })], '2026-01-15T00:05:00Z'),
      answer([slot('2026-01-15T00:05:00Z', { registered: null })]),
    );
    expect(await Array.fromAsync(feed.slots(FROM, TO))).toEqual([
      {
        slot: '2026-01-15T00:00:00Z',
        registered: 9,
        online: 7,
        titles: [
          {
            titleId: '4d530064',
            online: 3,
            sessions: 1,
            players: 2,
            matches: [{ host: '__proto__', players: 2, maxPlayers: 0 }],
          },
        ],
      },
      { slot: '2026-01-15T00:05:00Z', registered: null, online: 7, titles: [] },
    ]);
    expect(asked).toEqual([
      '?from=2026-01-15T00%3A00%3A00Z&to=2026-01-15T00%3A10%3A00Z',
      '?from=2026-01-15T00%3A05%3A00Z&to=2026-01-15T00%3A10%3A00Z',
    ]);
  });

  it.each([
    ['is not JSON', '{"slots":['],
    ['has no slots', {}],
    ['has a slot without users online', answer([slot('2026-01-15T00:00:00Z', { online: null })])],
    ['has an unaligned slot', answer([slot('2026-01-15T00:00:01Z')])],
    ['has a slot outside of the requested range', answer([slot('2026-01-15T00:10:00Z')])],
    ['has a slot twice', answer([slot('2026-01-15T00:00:00Z'), slot('2026-01-15T00:00:00Z')])],
    ['has slots that go back', answer([slot('2026-01-15T00:05:00Z'), slot('2026-01-15T00:00:00Z')])],
    ['has a `next` that does not advance', answer([], '2026-01-15T00:00:00Z')],
    [
      'has a match without a host',
      answer([slot('2026-01-15T00:00:00Z', { titles: [{ ...title, matches: [{ players: 2 }] }] })]),
    ],
  ])('rejects as not understood a feed that %s', async (_, body) => {
    const { feed } = feedOf(body);
    await expect(Array.fromAsync(feed.slots(FROM, TO))).rejects.toThrow(/could not be understood/);
  });

  it('rejects when the feed returns status 500', async () => {
    const client = clientOf(() => ({ status: 500, body: '{}' }));
    const time = { now: () => 0, sleep: () => Promise.resolve() };
    const feed = createHistoryFeed({ client, parse, time, url: 'http://network.example/history' });
    await expect(Array.fromAsync(feed.days(FROM, TO))).rejects.toThrow(/returned status 500/);
  });
});
