import type { MongoStore } from '@lobbystats/mongo-store';

/** Half of the size limit of a document. */
const PART_BYTES = 8 * 1024 * 1024;

interface TextRow {
  slot: number;
  kind: TextKind;
  part: number;
  bytes: Buffer;
}

type TextKind = 'home' | 'observation';
export type Session = Parameters<Parameters<MongoStore['transaction']>[0]>[0];

/**
 * Stores long JSON of a slot in parts, since a slot with very many matches exceeds the size limit of a document. The slot
 * document stays small, since it is written often.
 */
export interface SlotTexts {
  put(slot: number, kind: TextKind, value: unknown, session: Session): Promise<void>;
  get(slot: number, kind: TextKind, session: Session): Promise<unknown>;
  remove(slot: number, session: Session): Promise<void>;
}

export function createSlotTexts(store: MongoStore): SlotTexts {
  const rows = store.collection<TextRow>('slot_text');
  return {
    async put(slot, kind, value, session) {
      const bytes = Buffer.from(JSON.stringify(value));
      for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
        const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        await rows.insertOne({ slot, kind, part, bytes: piece }, { session });
      }
    },

    async get(slot, kind, session) {
      const parts = await rows.find({ slot, kind }, { session }).sort({ part: 1 }).toArray();
      if (parts.length === 0) return undefined;
      return JSON.parse(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()) as unknown;
    },

    async remove(slot, session) {
      await rows.deleteMany({ slot }, { session });
    },
  };
}
