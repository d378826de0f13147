import { isDuplicateKey, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { SlotHome, SlotObservation } from '../network/slot-observation.ts';
import type { SlotState, SlotStore, UnsettledSlot } from './slot-store.ts';
import { createSlotTexts, createSlotTitles } from './slot-documents.mongo.ts';

interface SlotRow {
  _id: number;
  state: SlotState;
  deadlineMs: number;
  hasHome: boolean;
}

/**
 * Slots in MongoDB. A slot is a small document; long JSON has documents of its own, and so has each title, so that
 * titles that are stored concurrently don't block each other. Changes of several documents are transactions.
 */
export function createMongoSlotStore(store: MongoStore): SlotStore {
  const rows = store.collection<SlotRow>('slot');
  const texts = createSlotTexts(store);
  const titles = createSlotTitles(store);
  const openSlot = (slot: number) => rows.findOne({ _id: slot, state: 'open' });

  return {
    open: (slot, deadlineMs) =>
      store.run(async () => {
        const row = { state: 'open', deadlineMs: Math.floor(deadlineMs), hasHome: false } as const;
        try {
          await rows.insertOne({ _id: slot, ...row });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    putHome: (slot, home, awaited) =>
      store.transaction(async (session) => {
        const without = { _id: slot, state: 'open', hasHome: false } as const;
        const { matchedCount } = await rows.updateOne(without, { $set: { hasHome: true } }, { session });
        if (matchedCount === 0) return false;
        await texts.put(slot, 'home', home, session);
        await titles.addAwaited(slot, awaited, session);
        return true;
      }),

    awaitedTitles: (slot) => store.run(async () => ((await openSlot(slot)) === null ? [] : titles.awaited(slot))),

    titleDeadlineMs: (slot, titleId) =>
      store.run(async () => {
        const [row, isAwaited] = await Promise.all([openSlot(slot), titles.isAwaited(slot, titleId)]);
        return isAwaited ? row?.deadlineMs : undefined;
      }),

    putMatches: (slot, titleId, matches) =>
      store.run(async () => {
        if ((await openSlot(slot)) === null || !(await titles.put(slot, titleId, matches))) return undefined;
        return (await titles.isAnyAwaited(slot)) ? 'more' : 'last';
      }),

    content: (slot) =>
      store.transaction(async (session) => {
        const row = await rows.findOne({ _id: slot, state: 'open', hasHome: true }, { session });
        if (row === null) return undefined;
        const home = (await texts.get(slot, 'home', session)) as SlotHome;
        return { home, matches: await titles.matchesByTitle(slot, session) };
      }),

    finish: (slot, observation) =>
      store.transaction(async (session) => {
        const finished = { $set: { state: 'finished' as const } };
        const { matchedCount } = await rows.updateOne({ _id: slot, state: 'open' }, finished, { session });
        if (matchedCount === 0) return false;
        await texts.put(slot, 'observation', observation, session);
        return true;
      }),

    finishedObservation: (slot) =>
      store.transaction(async (session) => {
        const row = await rows.findOne({ _id: slot, state: 'finished' }, { session });
        if (row === null) return undefined;
        return (await texts.get(slot, 'observation', session)) as SlotObservation;
      }),

    markPublished: (slot) =>
      store.transaction(async (session) => {
        const settled = { $set: { state: 'published' as const } };
        const { matchedCount } = await rows.updateOne({ _id: slot, state: 'finished' }, settled, { session });
        if (matchedCount === 0) return;
        await texts.remove(slot, session);
        await titles.remove(slot, session);
      }),

    markMissed: (slot) =>
      store.run(async () => {
        const without = { _id: slot, state: 'open', hasHome: false } as const;
        return (await rows.updateOne(without, { $set: { state: 'missed' } })).matchedCount === 1;
      }),

    state: (slot) => store.run(async () => (await rows.findOne({ _id: slot }))?.state),

    unsettled: () =>
      store.run(async () => {
        const found = await rows.find({ state: { $in: UNSETTLED } }, { sort: { _id: 1 } }).toArray();
        return found.map(({ _id, state, deadlineMs }) => ({ slot: _id, state, deadlineMs }) as UnsettledSlot);
      }),

    latestFinished: () =>
      store.run(async () => (await rows.findOne({ state: { $in: FINISHED } }, { sort: { _id: -1 } }))?._id),

    async deleteBefore(beforeExclusive) {
      await store.run(() => rows.deleteMany({ _id: { $lt: beforeExclusive }, state: { $in: SETTLED } }));
    },
  };
}

const UNSETTLED: SlotState[] = ['open', 'finished'];
const FINISHED: SlotState[] = ['finished', 'published'];
const SETTLED: SlotState[] = ['published', 'missed'];
