import { OPERATION_TIMEOUT_MS, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { BoardRow } from '../boards/board-crawl-state.mongo.ts';
import type { AnnouncedTitle, AnnouncedTitles } from './announced-titles.ts';

interface TitleRow extends Partial<AnnouncedTitle> {
  _id: string;
}

export function createMongoAnnouncedTitles(store: MongoStore): AnnouncedTitles {
  const rows = store.collection<TitleRow>('title');
  const boards = store.collection<BoardRow>('board');
  return {
    async all() {
      const all = await store.snapshot((session) => rows.find({}, { session }).toArray(), OPERATION_TIMEOUT_MS);
      return new Map(all.map((row) => [row._id, titleOf(row)]));
    },

    async get(titleId) {
      const row = await store.run(() => rows.findOne({ _id: titleId }));
      return row === null ? undefined : titleOf(row);
    },

    async recordSeen(titleIds, { seenAt, since }) {
      if (titleIds.length === 0) return;
      const updates = titleIds.map((_id) => ({
        updateOne: { filter: { _id }, update: { $set: { seenAt }, $setOnInsert: { since } }, upsert: true },
      }));
      // A reader that saw half of the first titles would take the rest for new ones.
      await store.transaction((session) => rows.bulkWrite(updates, { session, ordered: false }));
    },

    async recordHomes(homes) {
      if (homes.size === 0) return;
      const updates = [...homes].map(([_id, { digest, image }]) => {
        const iconAt = { $cond: [{ $eq: ['$image', { $literal: image }] }, '$iconAt', null] };
        const $set = { home: { $literal: digest }, image: { $literal: image }, iconAt };
        return { updateOne: { filter: { _id }, update: [{ $set }], upsert: true } };
      });
      await store.run(() => rows.bulkWrite(updates, { ordered: false }));
    },

    async recordIcon(titleId, at) {
      await store.run(() => rows.updateOne({ _id: titleId }, { $set: { iconAt: at } }));
    },

    async recordPage(titleId, digest, slot) {
      const fields = { pageSlot: slot, ...(digest !== null && { page: digest }) };
      await store.run(() => rows.updateOne({ _id: titleId }, { $set: fields }, { upsert: true }));
    },

    async forget(titleIds) {
      const ids = [...titleIds];
      await store.run(() => boards.deleteMany({ titleId: { $in: ids } }));
      await store.run(() => rows.deleteMany({ _id: { $in: ids } }));
    },

    async forgetUnseen(before) {
      const unseen = await store.run(() =>
        rows.find({ seenAt: { $lt: before } }, { projection: { _id: 1 } }).toArray(),
      );
      if (unseen.length === 0) return;
      const ids = unseen.map(({ _id }) => _id);
      // The titles last, so that a crash between the two is made up for.
      await store.run(() => boards.deleteMany({ titleId: { $in: ids } }));
      await store.run(() => rows.deleteMany({ _id: { $in: ids }, seenAt: { $lt: before } }));
    },
  };
}

function titleOf(row: TitleRow): AnnouncedTitle {
  const { home = null, page = null, pageSlot = null, since = null, seenAt = null, image = '', iconAt = null } = row;
  return { home, page, pageSlot, since, seenAt, image, iconAt };
}
