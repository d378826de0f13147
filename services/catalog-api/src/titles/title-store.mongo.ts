import {
  commitSteps,
  REQUEST_TIMEOUT_MS,
  writeSteps,
  type MongoOutbox,
  type MongoStore,
} from '@lobbystats/service-kit/mongo';
import type { TitleRecord, TitleStore } from './title-store.ts';

export function mongoTitleStore(store: MongoStore, outbox: MongoOutbox): TitleStore {
  const catalog = store.collection<CatalogRow>('catalog');
  const titles = store.collection<TitleRow>('title');
  return {
    revision: async () => {
      const row = await store.run(() => catalog.findOne({ _id: 'titles' }), REQUEST_TIMEOUT_MS);
      return row?.revision ?? 0;
    },
    read: () =>
      store.transaction(async (session) => {
        const row = await catalog.findOne({ _id: 'titles' }, { session });
        const rows = await titles.find({}, { session }).toArray();
        return { revision: row?.revision ?? 0, records: rows.map(fromRow) };
      }),
    commit: ({ expectedRevision, revision, records, facts }) => {
      const from = { _id: 'titles', revision: expectedRevision } as const;
      return commitSteps(store, { rows: catalog, from, to: { $set: { revision } } }, [
        ...writeSteps<TitleRow>(store, 'title', records.map(replaceOperation)),
        (session) => outbox.add(facts, session),
      ]);
    },
  };
}

interface CatalogRow {
  _id: 'titles';
  revision: number;
}

type TitleRow = Omit<TitleRecord, 'titleId'> & { _id: string };

function replaceOperation({ titleId, home, page, changedAt }: TitleRecord) {
  return { replaceOne: { filter: { _id: titleId }, replacement: { home, page, changedAt }, upsert: true } };
}

function fromRow({ _id, home, page, changedAt }: TitleRow): TitleRecord {
  return { titleId: _id, home, page, changedAt };
}
