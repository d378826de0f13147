import { AppError } from '@lobbystats/errors';
import { eventually } from '@lobbystats/test-kit';
import { ResponseCache } from '../src/domain/cache/response-cache.ts';
import type { MadeAnswer, Wanted } from '../src/domain/cache/wanted.ts';

const HIT = 'lobbystats; hit';
const body = (text: string): MadeAnswer => ({ body: Buffer.from(text), tag: `"${text}"`, headers: {} });

/** A cache whose clock and patience are the test's. */
function place() {
  const state = { nowMs: 1_800_000_000_000, isPatient: true, packed: 0 };
  const cache = new ResponseCache({
    maxBytes: 10_000_000,
    now: () => state.nowMs,
    nextMs: () => 1_800_000_300_000,
    pack: async (_packing, bytes) => {
      state.packed += 1;
      return bytes.subarray(0, 10);
    },
    within: (work) => (state.isPatient ? work : Promise.resolve(undefined)),
    report: { served: () => undefined, evicted: () => undefined, sized: () => undefined },
  });
  cache.following(true);
  const ask = async (make: Wanted['make'], key = 'k') => {
    const given = await cache.answer({ key, operation: 'o', owner: 'w', tags: ['t', key], keeping: 'kept', make });
    if ('large' in given) throw new Error('it is too large to be stored');
    return { text: given.bodies.identity.bytes.toString(), status: given.status, given };
  };
  return { state, cache, ask };
}

const unavailable = () => Promise.reject(new AppError('unavailable', 'away'));
const never = () => new Promise<MadeAnswer>(() => undefined);

describe('what is no longer true', () => {
  it('is shown for three seconds while a new answer is made, then waited for', async () => {
    const { state, cache, ask } = place();
    await ask(async () => body('old'));
    cache.outdate(['t']);
    const making = Promise.withResolvers<MadeAnswer>();
    expect(await ask(() => making.promise)).toMatchObject({ text: 'old', status: `${HIT}; ttl=-0; detail=refreshing` });
    state.nowMs += 3000;
    expect(await ask(never)).toMatchObject({ text: 'old', status: `${HIT}; ttl=-3; detail=refreshing` });
    expect(cache.atHand('k', 'identity')).toMatchObject({ ageSeconds: 3, maxAgeSeconds: 0 });
    state.nowMs += 1;
    expect(cache.atHand('k', 'identity')).toBeUndefined();
    const waiting = ask(never);
    making.resolve(body('new'));
    expect(await waiting).toMatchObject({ text: 'new', status: 'lobbystats; fwd=stale; stored; collapsed' });
    expect(await ask(never)).toMatchObject({ text: 'new', status: HIT });
  });

  it('is shown to who has waited long enough', async () => {
    const { state, cache, ask } = place();
    await ask(async () => body('old'));
    cache.outdate(['t']);
    Object.assign(state, { nowMs: state.nowMs + 9000, isPatient: false });
    expect(await ask(never)).toMatchObject({ text: 'old', status: `${HIT}; ttl=-9; detail=refreshing` });
  });

  it('is shown at once for a second after its owner failed, and then tried again', async () => {
    const { state, cache, ask } = place();
    await ask(async () => body('old'));
    cache.outdate(['t']);
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
    expect(cache.atHand('k', 'identity')?.status).toBe(`${HIT}; ttl=-5; detail=unavailable`);
    expect(tries).toBe(0);
    state.nowMs += 1;
    await ask(count);
    expect(tries).toBe(1);
  });

  it('is not shown once its owner says that there is nothing of the kind', async () => {
    const { state, cache, ask } = place();
    await ask(async () => body('old'));
    cache.outdate(['t']);
    state.nowMs += 5000;
    const gone = () => Promise.reject(new AppError('not-found', 'Unknown title'));
    await expect(ask(gone)).rejects.toThrow('Unknown title');
    await expect(ask(unavailable)).rejects.toThrow('away');
  });

  it('is what a flight brings that had begun before a fact', async () => {
    const { cache, ask } = place();
    const making = Promise.withResolvers<MadeAnswer>();
    const early = ask(() => making.promise);
    cache.outdate(['t']);
    const late = ask(async () => body('new'));
    making.resolve(body('old'));
    expect(await early).toMatchObject({ text: 'old', given: { maxAgeSeconds: 0 } });
    expect(await late).toMatchObject({ text: 'new', status: 'lobbystats; fwd=uri-miss; stored' });
    expect((await ask(never)).text).toBe('new');
  });

  it('is asked for once more after a fact that its owner learns of as late as we do', async () => {
    const { state, cache, ask } = place();
    cache.outdate(['t'], ['w']);
    await ask(async () => body('perhaps old'));
    expect((await ask(never)).status).toBe(HIT);
    state.nowMs += 3001;
    await ask(async () => body('new'));
    expect((await ask(never)).text).toBe('new');
  });
});

describe('many keys', () => {
  it('are asked for once each when a slot ends them all', async () => {
    const { cache, ask } = place();
    const keys = Array.from({ length: 300 }, (_, index) => `key ${index}`);
    await Promise.all(keys.map((key) => ask(async () => body('old'), key)));
    cache.outdate(['t']);
    const made: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const make = (key: string) => async () => {
        made.push(key);
        return body('new');
      };
      await Promise.all(keys.map((key) => ask(make(key), key)));
    }
    expect(made.toSorted()).toEqual(keys.toSorted());
  });
});

describe('what is packed', () => {
  it('is packed once, and stays where the bytes are the same', async () => {
    const { state, cache, ask } = place();
    const text = 'x'.repeat(2000);
    const bodies = await Promise.all([
      cache.bodyOf((await ask(async () => body(text))).given, 'gzip'),
      cache.bodyOf((await ask(never)).given, 'gzip'),
    ]);
    expect(bodies[0]).toBe(bodies[1]);
    cache.outdate(['t']);
    await ask(async () => body(text));
    const { given, status } = await ask(never);
    expect([status, await cache.bodyOf(given, 'gzip')]).toEqual([HIT, bodies[0]]);
    expect(state.packed).toBe(1);
  });
});

describe('new bytes', () => {
  it('take the place of old ones when they are packed as those were asked for', async () => {
    const { cache, ask } = place();
    await cache.bodyOf((await ask(async () => body('x'.repeat(2000)))).given, 'br');
    cache.outdate(['t']);
    await ask(async () => body('y'.repeat(2000)));
    await eventually(() => {
      expect(cache.atHand('k', 'br')).toMatchObject({ status: HIT });
    });
    expect(cache.atHand('k', 'gzip')).toBeUndefined();
  });
});

describe('while facts are not followed', () => {
  it('nothing counts as true for longer than five seconds, and all does again that no fact has touched since', async () => {
    const { state, cache, ask } = place();
    await ask(async () => body('a'));
    cache.following(false);
    state.nowMs += 4999;
    expect((await ask(never)).given.maxAgeSeconds).toBe(5);
    state.nowMs += 1;
    expect((await ask(unavailable)).status).toBe(`${HIT}; ttl=-0; detail=refreshing`);
    cache.following(true);
    expect((await ask(never)).status).toBe(HIT);
  });
});
