import type { ObservedMatch } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { Session } from './slot-texts.mongo.ts';

interface TitleRow {
  /** Slot and title ID. */
  _id: string;
  slot: number;
  titleId: string;
  awaited: boolean;
  /** JSON; present once the title is no longer awaited. */
  matches?: string;
}

/** Awaited titles, one document each, so that concurrent writes don't conflict. */
export interface SlotTitles {
  addAwaited(slot: number, titleIds: readonly string[], session: Session): Promise<void>;
  awaited(slot: number): Promise<string[]>;
  awaitedCount(slot: number): Promise<number>;
  isAwaited(slot: number, titleId: string): Promise<boolean>;
  put(slot: number, titleId: string, matches: readonly ObservedMatch[]): Promise<boolean>;
  matchesByTitle(slot: number, session: Session): Promise<Map<string, ObservedMatch[]>>;
  remove(slot: number, session: Session): Promise<void>;
}

export function createSlotTitles(store: MongoStore): SlotTitles {
  const rows = store.collection<TitleRow>('slot_title');
  return {
    async addAwaited(slot, titleIds, session) {
      const awaited = [...new Set(titleIds)].map((titleId) => ({
        _id: idOf(slot, titleId),
        slot,
        titleId,
        awaited: true,
      }));
      if (awaited.length > 0) await rows.insertMany(awaited, { session });
    },

    async awaited(slot) {
      const found = await rows.find({ slot, awaited: true }).toArray();
      return found.map(({ titleId }) => titleId);
    },

    awaitedCount: (slot) => rows.countDocuments({ slot, awaited: true }),

    async isAwaited(slot, titleId) {
      return (await rows.findOne({ _id: idOf(slot, titleId), awaited: true })) !== null;
    },

    async put(slot, titleId, matches) {
      const change = { $set: { awaited: false, matches: JSON.stringify(matches) } };
      return (await rows.updateOne({ _id: idOf(slot, titleId), awaited: true }, change)).matchedCount === 1;
    },

    async matchesByTitle(slot, session) {
      const found = await rows.find({ slot, awaited: false }, { session }).toArray();
      return new Map(found.map(({ titleId, matches = '[]' }) => [titleId, JSON.parse(matches) as ObservedMatch[]]));
    },

    async remove(slot, session) {
      await rows.deleteMany({ slot }, { session });
    },
  };
}

function idOf(slot: number, titleId: string): string {
  return `${slot} ${titleId}`;
}
