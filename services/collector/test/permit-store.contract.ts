import { mostInASecond } from '@lobbystats/test-kit';
import fc from 'fast-check';
import {
  batchOf,
  MAX_LATENESS_MS,
  MAX_LEAD_MS,
  maxReservedMs,
  SETTLE_MS,
  SET_BACK_MS,
  stepMsOf,
  type PermitStore,
} from '../src/network/permit-store.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

/** Opens an empty store on a clock in epoch milliseconds. */
export type OpenPermitStore = (serverMs: () => number) => Promise<PermitStore>;

/** Contract of the permit store. */
export function permitStoreContract(open: OpenPermitStore, numRuns: number): void {
  let nowMs: number;
  let store: PermitStore;
  beforeEach(async () => {
    nowMs = NOW;
    store = await open(() => nowMs);
  });
  const stepMs = stepMsOf(20);
  const reserveUntilRefused = async () => {
    for (let granted = 1; granted > 0; { granted } = await store.reserve(batchOf(20), stepMs));
  };

  it('knows nothing before the first reservation', async () => {
    expect(await store.look()).toBeUndefined();
    await store.reserve(1, stepMs);
    expect(await store.look()).toEqual({ nowMs: NOW, quietUntilMs: 0 });
  });

  it('grants each permit once, in order', async () => {
    expect(await store.reserve(3, 50)).toMatchObject({ granted: 3, startMs: NOW, nextMs: NOW + 150 });
    nowMs += 20;
    expect(await store.reserve(2, 50)).toMatchObject({ granted: 2, startMs: NOW + 150, nextMs: NOW + 250 });
    nowMs += 1000;
    expect(await store.reserve(1, 50)).toMatchObject({ granted: 1, startMs: nowMs });
  });

  it('grants no permits far ahead', async () => {
    await reserveUntilRefused();
    const { nextMs } = await store.reserve(1, stepMs);
    expect(nextMs - NOW).toBeGreaterThan(MAX_LEAD_MS);
    expect(nextMs - NOW).toBeLessThanOrEqual(maxReservedMs(stepMs));
    nowMs = nextMs - MAX_LEAD_MS;
    expect(await store.reserve(1, stepMs)).toMatchObject({ granted: 1, startMs: nextMs });
  });

  it('grants none while it is quiet, and keeps the longer of two waits', async () => {
    await store.announceQuiet(2000);
    await store.announceQuiet(500);
    expect(await store.look()).toEqual({ nowMs: NOW, quietUntilMs: NOW + 2000 });
    nowMs += 1999;
    expect(await store.reserve(5, stepMs)).toMatchObject({ granted: 0, quietUntilMs: NOW + 2000 });
    nowMs += 1;
    expect(await store.reserve(5, stepMs)).toMatchObject({ granted: 5, startMs: NOW + 2000 });
  });

  it('grants permits after the settling time when its clock was set back by an hour', async () => {
    await reserveUntilRefused();
    nowMs -= HOUR_MS;
    expect(await store.reserve(5, stepMs)).toMatchObject({ granted: 5, startMs: nowMs + SETTLE_MS });
  });

  it('grants permits within seconds whenever its clock is set', async () => {
    for (const setMs of [-HOUR_MS, -MAX_LEAD_MS, -SET_BACK_MS, -100, 100, HOUR_MS]) {
      await reserveUntilRefused();
      nowMs += setMs;
      const setAtMs = nowMs;
      let reservation = await store.reserve(1, stepMs);
      for (; reservation.granted === 0; reservation = await store.reserve(1, stepMs)) nowMs += 100;
      expect(reservation.startMs - setAtMs).toBeLessThanOrEqual(maxReservedMs(stepMs) + SET_BACK_MS);
    }
  });

  it('is quiet for twice the announced wait at most when its clock is set back', async () => {
    await store.announceQuiet(30_000);
    nowMs += 29_000 - HOUR_MS;
    const setAtMs = nowMs;
    expect(await store.reserve(1, stepMs)).toMatchObject({ granted: 0, quietUntilMs: setAtMs + 30_000 });
    nowMs += 30_000;
    expect(await store.reserve(1, stepMs)).toMatchObject({ granted: 1 });
  });

  it('allows at most the limit in any second, however late permits are used within their bound', async () => {
    const steps = fc.record({
      waitMs: fc.nat(600),
      count: fc.integer({ min: 1, max: 400 }),
      latenessMs: fc.double({ min: 0, max: MAX_LATENESS_MS, noNaN: true }),
    });
    const history = fc.array(steps, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), history, async (perSecond, replicas) => {
        store = await open(() => nowMs);
        const sent: number[] = [];
        for (const { waitMs, count, latenessMs } of replicas) {
          nowMs += waitMs;
          const { granted, startMs } = await store.reserve(Math.min(count, batchOf(perSecond)), stepMsOf(perSecond));
          const times = Array.from({ length: granted }, (_, index) => startMs + index * stepMsOf(perSecond));
          sent.push(...times.map((ms, index) => ms + (index % 2 === 0 ? latenessMs : MAX_LATENESS_MS - latenessMs)));
        }
        expect(mostInASecond(sent.toSorted((one, other) => one - other))).toBeLessThanOrEqual(perSecond);
      }),
      { numRuns },
    );
  });
}
