import { tags } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { eventually } from '@lobbystats/test-kit';
import { EncodedBodies } from '../src/cache/encoded-bodies.ts';
import { ResponseCache } from '../src/cache/response-cache.ts';
import type { OriginResponse, CacheRequest } from '../src/cache/cache-request.ts';

const HIT = 'lobbystats; hit';
const body = (text: string): OriginResponse => ({
  body: new EncodedBodies(Buffer.from(text), `"${text}"`),
  headers: {},
});

/** A cache with a controllable clock and wait timeout. */
function createTestCache() {
  const state = { nowMs: 1_800_000_000_000, isPatient: true, packed: 0 };
  const cache = new ResponseCache({
    maxBytes: 10_000_000,
    now: () => state.nowMs,
    freshness: { nextMs: 1_800_000_300_000 },
    compress: async (_packing, bytes) => {
      state.packed += 1;
      return bytes.subarray(0, 10);
    },
    resolveWithin: (work) => (state.isPatient ? work : Promise.resolve(undefined)),
  });
  cache.setConnected(true);
  const ask = async (fetch: CacheRequest['fetch'], key = 'k', tag: string = tags.slots) => {
    const response = await cache.getOrFetch({
      key,
      operation: 'o',
      upstream: 'w',
      tags: [tag],
      policy: 'store',
      fetch,
    });
    const { body: bodies, ...rest } = response;
    if (!(bodies instanceof EncodedBodies)) throw new Error('it is too large to be stored');
    return { text: bodies.identity.bytes.toString(), status: rest.status, given: { ...rest, body: bodies } };
  };
  return { state, cache, ask };
}

const unavailable = () => Promise.reject(new AppError('unavailable', 'away'));
const never = () => new Promise<OriginResponse>(() => undefined);

describe('stale cache entry', () => {
  it('is served for 3 s while it is refetched, after which requests wait', async () => {
    const { state, cache, ask } = createTestCache();
    await ask(async () => body('old'));
    cache.invalidate([tags.slots]);
    const making = Promise.withResolvers<OriginResponse>();
    expect(await ask(() => making.promise)).toMatchObject({ text: 'old', status: `${HIT}; ttl=-0; detail=refreshing` });
    state.nowMs += 3000;
    expect(await ask(never)).toMatchObject({ text: 'old', status: `${HIT}; ttl=-3; detail=refreshing` });
    expect(cache.lookup('k', 'identity')).toMatchObject({ ageSeconds: 3, maxAgeSeconds: 0 });
    state.nowMs += 1;
    expect(cache.lookup('k', 'identity')).toBeUndefined();
    const waiting = ask(never);
    making.resolve(body('new'));
    expect(await waiting).toMatchObject({ text: 'new', status: 'lobbystats; fwd=stale; stored; collapsed' });
    expect(await ask(never)).toMatchObject({ text: 'new', status: HIT });
  });

  it('is served to a request that has waited long enough for the refetch', async () => {
    const { state, cache, ask } = createTestCache();
    await ask(async () => body('old'));
    cache.invalidate([tags.slots]);
    Object.assign(state, { nowMs: state.nowMs + 9000, isPatient: false });
    expect(await ask(never)).toMatchObject({ text: 'old', status: `${HIT}; ttl=-9; detail=refreshing` });
  });

  it('is served for 1 s after its upstream failed, and then refetched', async () => {
    const { state, cache, ask } = createTestCache();
    await ask(async () => body('old'));
    cache.invalidate([tags.slots]);
    state.nowMs += 5000;
    expect(await ask(unavailable)).toMatchObject({ status: `${HIT}; ttl=-5; detail=unavailable` });
    let tries = 0;
    const count = () => {
      tries += 1;
      return unavailable();
    };
    await ask(count);
    state.nowMs += 999;
    await ask(count);
    expect(cache.lookup('k', 'identity')?.status).toBe(`${HIT}; ttl=-5; detail=unavailable`);
    expect(tries).toBe(0);
    state.nowMs += 1;
    await ask(count);
    expect(tries).toBe(1);
  });

  it('is not served once its upstream has answered 404', async () => {
    const { state, cache, ask } = createTestCache();
    await ask(async () => body('old'));
    cache.invalidate([tags.slots]);
    state.nowMs += 5000;
    const rejectNotFound = () => Promise.reject(new AppError('not-found', 'Unknown title'));
    await expect(ask(rejectNotFound)).rejects.toThrow('Unknown title');
    await expect(ask(unavailable)).rejects.toThrow('away');
  });

  it('results from a fetch that had begun before its invalidation', async () => {
    const { cache, ask } = createTestCache();
    const making = Promise.withResolvers<OriginResponse>();
    const early = ask(() => making.promise);
    cache.invalidate([tags.slots]);
    const late = ask(async () => body('new'));
    making.resolve(body('old'));
    expect(await early).toMatchObject({ text: 'old', given: { maxAgeSeconds: 0 } });
    expect(await late).toMatchObject({ text: 'new', status: 'lobbystats; fwd=uri-miss; stored' });
    expect((await ask(never)).text).toBe('new');
  });

  it('is refetched once more when its upstream may have learned of the fact later', async () => {
    const { state, cache, ask } = createTestCache();
    cache.invalidate([tags.slots], ['w']);
    await ask(async () => body('perhaps old'));
    expect((await ask(never)).status).toBe(HIT);
    state.nowMs += 3001;
    await ask(async () => body('new'));
    expect((await ask(never)).text).toBe('new');
  });
});

describe('entry that may change between slots', () => {
  it('is never served after its fact while its upstream responds, however long that takes', async () => {
    const { state, cache, ask } = createTestCache();
    const askChanges = (fetch: CacheRequest['fetch']) => ask(fetch, 'k', tags.everyChange);
    expect((await askChanges(async () => body('old'))).given.maxAgeSeconds).toBeUndefined();
    expect(await askChanges(never)).toMatchObject({ text: 'old', status: HIT });
    cache.invalidate([tags.everyChange]);
    const making = Promise.withResolvers<OriginResponse>();
    const first = askChanges(() => making.promise);
    expect(cache.lookup('k', 'identity')).toBeUndefined();
    Object.assign(state, { nowMs: state.nowMs + 9000, isPatient: false });
    const second = askChanges(never);
    making.resolve(body('new'));
    expect([(await first).text, (await second).text]).toEqual(['new', 'new']);
    cache.invalidate([tags.everyChange]);
    expect((await askChanges(unavailable)).given).toMatchObject({ ageSeconds: 0, maxAgeSeconds: undefined });
  });
});

describe('compressed body', () => {
  it('is compressed once, and reused when a refetch returns the same bytes', async () => {
    const { state, cache, ask } = createTestCache();
    const text = 'x'.repeat(2000);
    const bodies = await Promise.all([
      cache.encodedBody((await ask(async () => body(text))).given, 'gzip'),
      cache.encodedBody((await ask(never)).given, 'gzip'),
    ]);
    expect(bodies[0]).toBe(bodies[1]);
    cache.invalidate([tags.slots]);
    await ask(async () => body(text));
    const { given: response, status } = await ask(never);
    expect([status, await cache.encodedBody(response, 'gzip')]).toEqual([HIT, bodies[0]]);
    expect(state.packed).toBe(1);
  });
});

describe('new body of an entry', () => {
  it('is precompressed in the content coding that was requested before', async () => {
    const { cache, ask } = createTestCache();
    await cache.encodedBody((await ask(async () => body('x'.repeat(2000)))).given, 'br');
    cache.invalidate([tags.slots]);
    await ask(async () => body('y'.repeat(2000)));
    await eventually(() => {
      expect(cache.lookup('k', 'br')).toMatchObject({ status: HIT });
    });
    expect(cache.lookup('k', 'gzip')).toBeUndefined();
  });
});

describe('response cache without a connected fact log', () => {
  it('treats entries as fresh for 5 s, and unaffected ones as fresh again after reconnecting', async () => {
    const { state, cache, ask } = createTestCache();
    await ask(async () => body('a'));
    cache.setConnected(false);
    state.nowMs += 4999;
    expect((await ask(never)).given.maxAgeSeconds).toBe(5);
    state.nowMs += 1;
    expect((await ask(unavailable)).status).toBe(`${HIT}; ttl=-0; detail=refreshing`);
    cache.setConnected(true);
    expect((await ask(never)).status).toBe(HIT);
  });
});
