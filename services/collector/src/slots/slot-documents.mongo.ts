import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { ObservedMatch } from '@lobbystats/contracts';

/** Half of the size limit of a document. */
const PART_BYTES = 8 * 1024 * 1024;

interface TextRow {
  slot: number;
  kind: TextKind;
  part: number;
  bytes: Buffer;
}

type TextKind = 'home' | 'observation';
type Session = Parameters<Parameters<MongoStore['transaction']>[0]>[0];

/**
 * Stores long JSON of a slot in parts, since a slot with very many matches exceeds the size limit of a document. The slot
 * document stays small, since it is written often.
 */
export function createSlotTexts(store: MongoStore) {
  const rows = store.collection<TextRow>('slot_text');
  return {
    async put(slot: number, kind: TextKind, value: unknown, session: Session): Promise<void> {
      const bytes = Buffer.from(JSON.stringify(value));
      for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
        const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        await rows.insertOne({ slot, kind, part, bytes: piece }, { session });
      }
    },

    async get(slot: number, kind: TextKind, session: Session): Promise<unknown> {
      const parts = await rows.find({ slot, kind }, { session }).sort({ part: 1 }).toArray();
      if (parts.length === 0) return undefined;
      return JSON.parse(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()) as unknown;
    },

    async remove(slot: number, session: Session): Promise<void> {
      await rows.deleteMany({ slot }, { session });
    },
  };
}

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
export function createSlotTitles(store: MongoStore) {
  const rows = store.collection<TitleRow>('slot_title');
  return {
    async addAwaited(slot: number, titleIds: readonly string[], session: Session): Promise<void> {
      const awaited = [...new Set(titleIds)].map((titleId) => ({
        _id: idOf(slot, titleId),
        slot,
        titleId,
        awaited: true,
      }));
      if (awaited.length > 0) await rows.insertMany(awaited, { session });
    },

    async awaited(slot: number): Promise<string[]> {
      const found = await rows.find({ slot, awaited: true }).toArray();
      return found.map(({ titleId }) => titleId);
    },

    isAnyAwaited: async (slot: number): Promise<boolean> =>
      (await rows.findOne({ slot, awaited: true }, { projection: { _id: 1 } })) !== null,

    async isAwaited(slot: number, titleId: string): Promise<boolean> {
      return (await rows.findOne({ _id: idOf(slot, titleId), awaited: true })) !== null;
    },

    async put(slot: number, titleId: string, matches: readonly ObservedMatch[]): Promise<boolean> {
      const change = { $set: { awaited: false, matches: JSON.stringify(matches) } };
      return (await rows.updateOne({ _id: idOf(slot, titleId), awaited: true }, change)).matchedCount === 1;
    },

    async matchesByTitle(slot: number, session: Session): Promise<Map<string, ObservedMatch[]>> {
      const found = await rows.find({ slot, awaited: false }, { session }).toArray();
      return new Map(found.map(({ titleId, matches = '[]' }) => [titleId, JSON.parse(matches) as ObservedMatch[]]));
    },

    async remove(slot: number, session: Session): Promise<void> {
      await rows.deleteMany({ slot }, { session });
    },
  };
}

function idOf(slot: number, titleId: string): string {
  return `${slot} ${titleId}`;
}
