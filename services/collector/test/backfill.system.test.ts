import { backfillProgressed, DAY_SECONDS, formatInstant, SLOT_SECONDS, SLOTS_PER_DAY } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import type { BackfillProgress } from '../src/service.ts';
import { killAfter } from './kill-after.ts';
import { mockNetwork, NETWORK } from './mock-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';

const DAYS = 2;
const backfillDays = { snapshots: DAYS, registered: 20 };
const FIRST = SLOT - DAYS * DAY_SECONDS;

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ titles: 3, openMatches: 2 });
});
afterEach(() => stage.close());

const pastMessages = () => stage.slots.filter((message) => message.past);
const slotsOf = (messages: Stage['slots']) => [...new Set(messages.map(({ data }) => data.slot))].sort();
const allSlots = () =>
  Array.from({ length: DAYS * SLOTS_PER_DAY }, (_, index) => formatInstant(FIRST + index * SLOT_SECONDS));

describe('snapshot backfill', () => {
  it('publishes every slot before the first live slot and registered counts of whole past days', async () => {
    const reports: BackfillProgress[] = [];
    const collector = await stage.collector({ backfillDays, onFillProgress: (progress) => reports.push(progress) });
    await collector.backfillDone();
    await stage.until(() => stage.slots.length === DAYS * SLOTS_PER_DAY + 1 && stage.days.length > 0);
    expect(slotsOf(pastMessages())).toEqual(allSlots());
    for (const { id, data, occurredAt } of pastMessages()) {
      const { online, registered, titles } = stage.world.observe(Date.parse(data.slot) / 1000);
      expect({ id, occurredAt }).toEqual({ id: `slot.observed:simulated:${data.slot}`, occurredAt: data.slot });
      expect(data).toMatchObject({ online, registered });
      expect(data.titles).toMatchObject(
        titles.map(({ titleId, online: users, sessions, players, matches }) => ({
          titleId,
          online: users,
          sessions,
          players,
          matches: matches.map(({ host }) => ({ host })),
        })),
      );
    }
    const today = Math.floor(SLOT / DAY_SECONDS) * DAY_SECONDS;
    expect(stage.days).toEqual(
      Array.from({ length: 20 }, (_, index) => {
        const day = today - (20 - index) * DAY_SECONDS;
        const lastSlot = day + DAY_SECONDS - SLOT_SECONDS;
        return {
          date: formatInstant(day).slice(0, 10),
          registered: stage.world.registeredAt(lastSlot),
          seenAt: formatInstant(lastSlot),
        };
      }),
    );
    expect(reports[0]).toEqual({ doneSlots: 0, totalSlots: 576, doneDays: 0 });
    expect(reports.at(-1)).toEqual({ doneSlots: 576, totalSlots: 576, doneDays: 20 });
    expect(collector.status.fill).toEqual({ doneSlots: 576, totalSlots: 576, doneDays: 20, done: true });
  });

  it('resumes after a kill and never starts again once it is done', async () => {
    let starts = 0;
    for (const steps of [0, 3, 12, 170, 400, 800]) {
      const life = killAfter(stage.store, stage.bus, steps);
      const killed = await stage.collector({ store: life.store, bus: life.bus, backfillDays });
      await stage.poll(() => Promise.resolve(life.isKilled() || killed.status.fill?.done === true));
      await killed.stop();
      stage.clock.nowMs += 15_000;
      starts += 1;
    }
    expect(starts).toBe(6);
    const last = await stage.collector({ backfillDays });
    await last.backfillDone();
    await stage.until(() => slotsOf(pastMessages()).length === DAYS * SLOTS_PER_DAY);
    expect(slotsOf(pastMessages())).toEqual(allSlots());

    const { length } = stage.slots;
    const { byPath } = await stage.requests();
    await last.stop();
    stage.clock.nowMs += DAY_SECONDS * 1000;
    await (await stage.collector({ backfillDays })).backfillDone();
    await stage.until(
      () => stage.slots.length === length + 1 || stage.slots.some(({ data }) => Date.parse(data.slot) / 1000 > SLOT),
    );
    expect((await stage.requests()).byPath['/simulator/history']).toBe(byPath['/simulator/history']);
    expect(slotsOf(pastMessages())).toEqual(allSlots());
  });

  it('skips slots older than the snapshot retention', async () => {
    const requests = mockNetwork();
    const killed = await stage.collector({ backfillDays, env: { HISTORY_URL: NETWORK } });
    await stage.poll(() => Promise.resolve(requests.length > 0));
    await killed.stop();
    stage.clock.nowMs += 29 * DAY_SECONDS * 1000;
    const late = await stage.collector({ backfillDays });
    await late.backfillDone();
    await stage.until(() => pastMessages().length === SLOTS_PER_DAY);
    expect(slotsOf(pastMessages())).toEqual(allSlots().slice(SLOTS_PER_DAY));
    expect(late.status.fill).toMatchObject({ doneSlots: 576, done: true });
  });

  it('pauses while the clock is 31 days ahead and resumes when it is corrected', async () => {
    const requests = mockNetwork();
    const killed = await stage.collector({
      backfillDays: { snapshots: DAYS },
      env: { HISTORY_URL: NETWORK },
    });
    await stage.poll(() => Promise.resolve(requests.length > 0));
    await killed.stop();
    const { nowMs } = stage.clock;
    stage.clock.nowMs += 31 * DAY_SECONDS * 1000;
    const metrics = createMetrics('collector');
    const late = await stage.collector({ backfillDays, metrics });
    await stage.poll(
      async () => late.status.fill?.done === true || /faults_total\{.*\} [1-9]/.test(await metrics.registry.metrics()),
    );
    expect(await stage.store.backfill.state()).toMatchObject({ doneFrom: SLOT });
    stage.clock.nowMs = nowMs;
    await stage.until(() => slotsOf(pastMessages()).length === DAYS * SLOTS_PER_DAY);
    expect(slotsOf(pastMessages())).toEqual(allSlots());
  });

  it('publishes live slots while the history feed fails, and completes once it recovers', async () => {
    await stage.faults({ path: '/simulator/history', kind: 'status', status: 500, times: 2 });
    const collector = await stage.collector({ backfillDays });
    await stage.until(() => stage.slots.some((message) => !message.past));
    await stage.poll(() => Promise.resolve(collector.status.fill !== null));
    expect(collector.status.fill).toMatchObject({ doneSlots: 0, done: false });
    await stage.until(() => pastMessages().length === DAYS * SLOTS_PER_DAY);
  });

  it('begins after the first live slot, so that current numbers come first', async () => {
    await stage.collector({ backfillDays });
    await stage.until(() => stage.slots.length > 1);
    expect(stage.slots[0]).toMatchObject({ past: false, data: { slot: formatInstant(SLOT) } });
  });

  it('begins at once when the first slot can not be collected any more', async () => {
    stage.clock.nowMs = (SLOT + 200) * 1000;
    const collector = await stage.collector({ backfillDays });
    await collector.backfillDone();
    expect(stage.slots.every(({ past }) => past)).toBe(true);
  });

  it('announces its progress, from the newest hour to the end', async () => {
    const announced: unknown[] = [];
    const end = await stage.bus.logEnd();
    const reading = await stage.bus.readLog({
      from: end,
      onEntry: ({ message }) => {
        if (message.type === backfillProgressed.key) announced.push(message.data);
      },
      onReset: () => undefined,
      onFault: () => undefined,
    });
    const collector = await stage.collector({ backfillDays });
    await collector.backfillDone();
    await stage.poll(async () => Promise.resolve(announced.length >= 6));
    await reading.stop();
    const done = [0, 1, 217, 505, 576].map((slots) => ({ part: 'snapshots', done: slots, total: 576 }));
    expect(announced).toEqual([{ part: 'snapshots', done: 0, total: 576 }, ...done]);
  });

  it('sends no history request when the backfill is disabled', async () => {
    const collector = await stage.collector();
    await collector.backfillDone();
    expect((await stage.requests()).byPath).not.toHaveProperty(['/simulator/history']);
  });
});
