import type { EpochSeconds, Fact } from '@lobbystats/contracts';
import { commitSteps, REQUEST_TIMEOUT_MS, writeSteps } from '@lobbystats/service-kit/mongo-steps';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { appendToOutbox } from '@lobbystats/service-kit/sqlite-outbox';
import type { MongoCatalog } from '../database/open.mongo.ts';

/** Texts have no lone surrogates. They throw AppError `unavailable`. */
export type TitleQueries = ReturnType<typeof titlesInSqlite>;

/** From the homepage. */
export interface HomePart {
  readonly seenAt: EpochSeconds;
  /** Never blank; not unique. */
  readonly name: string;
  readonly image: string;
  readonly publisher: string;
  readonly productCode: string;
}

export interface PagePart {
  readonly seenAt: EpochSeconds;
  readonly title: string;
  readonly publisher: string;
  readonly releaseDate: string;
}

/** Without parts: the title was withdrawn at `changedAt`, and nothing from before returns. */
export interface TitleRecord {
  readonly titleId: string;
  readonly home: HomePart | null;
  readonly page: PagePart | null;
  readonly changedAt: EpochSeconds;
}

export interface TitleCommit {
  readonly expectedRevision: number;
  /** Above `expectedRevision`, and at least that of the facts. */
  readonly revision: number;
  readonly records: readonly TitleRecord[];
  readonly facts: readonly Fact[];
}

export function titlesInSqlite(sqlite: SqliteStore) {
  const revision = () => sqlite.get<{ revision: number }>('SELECT revision FROM catalog')?.revision ?? 0;
  return {
    revision: async () => revision(),
    read: async (): Promise<{ revision: number; records: TitleRecord[] }> =>
      sqlite.transaction(() => ({
        revision: revision(),
        records: sqlite.all<TitleRow>('SELECT * FROM title').map(recordOf),
      })),
    /** False when the revision isn't the expected one. */
    commit: async (change: TitleCommit) =>
      sqlite.transaction(() => {
        const { expectedRevision, records, facts } = change;
        const move = 'UPDATE catalog SET revision = ? WHERE revision = ?';
        if (sqlite.run(move, change.revision, expectedRevision) === 0) return false;
        for (const record of records) sqlite.run(UPSERT_TITLE, ...toValues(record));
        appendToOutbox(sqlite, facts);
        return true;
      }),
  };
}

export interface TitleRow {
  title_id: string;
  home_seen_at: number | null;
  home_name: string | null;
  home_image: string | null;
  home_publisher: string | null;
  home_product_code: string | null;
  page_seen_at: number | null;
  page_title: string | null;
  page_publisher: string | null;
  page_release_date: string | null;
  changed_at: number;
}

const UPSERT_TITLE = `
  INSERT OR REPLACE INTO title (
    title_id, home_seen_at, home_name, home_image, home_publisher, home_product_code,
    page_seen_at, page_title, page_publisher, page_release_date, changed_at
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function toValues({ titleId, home, page, changedAt }: TitleRecord): (string | number | null)[] {
  return [
    titleId,
    home?.seenAt ?? null,
    home?.name ?? null,
    home?.image ?? null,
    home?.publisher ?? null,
    home?.productCode ?? null,
    page?.seenAt ?? null,
    page?.title ?? null,
    page?.publisher ?? null,
    page?.releaseDate ?? null,
    changedAt,
  ];
}

export function recordOf(row: TitleRow): TitleRecord {
  return { titleId: row.title_id, home: homeOf(row), page: pageOf(row), changedAt: row.changed_at };
}

function homeOf(row: TitleRow): TitleRecord['home'] {
  if (row.home_seen_at === null) return null;
  return {
    seenAt: row.home_seen_at,
    name: row.home_name ?? '',
    image: row.home_image ?? '',
    publisher: row.home_publisher ?? '',
    productCode: row.home_product_code ?? '',
  };
}

function pageOf(row: TitleRow): TitleRecord['page'] {
  if (row.page_seen_at === null) return null;
  return {
    seenAt: row.page_seen_at,
    title: row.page_title ?? '',
    publisher: row.page_publisher ?? '',
    releaseDate: row.page_release_date ?? '',
  };
}

interface RevisionDocument {
  _id: 'titles';
  revision: number;
}

type TitleDocument = Omit<TitleRecord, 'titleId'> & { _id: string };

export function titlesInMongo({ store, outbox }: MongoCatalog) {
  const catalog = store.collection<RevisionDocument>('catalog');
  const titles = store.collection<TitleDocument>('title');
  return {
    revision: async () => {
      const row = await store.run(() => catalog.findOne({ _id: 'titles' }), REQUEST_TIMEOUT_MS);
      return row?.revision ?? 0;
    },
    read: () =>
      store.transaction(async (session) => {
        const row = await catalog.findOne({ _id: 'titles' }, { session });
        const documents = await titles.find({}, { session }).toArray();
        const records = documents.map(({ _id, home, page, changedAt }) => ({ titleId: _id, home, page, changedAt }));
        return { revision: row?.revision ?? 0, records };
      }),
    commit: ({ expectedRevision, revision, records, facts }) => {
      const writes = records.map(({ titleId, home, page, changedAt }) => ({
        replaceOne: { filter: { _id: titleId }, replacement: { home, page, changedAt }, upsert: true },
      }));
      const from = { _id: 'titles', revision: expectedRevision } as const;
      return commitSteps(store, { rows: catalog, from, to: { $set: { revision } } }, [
        ...writeSteps<TitleDocument>(store, 'title', writes),
        (session) => outbox.add(facts, session),
      ]);
    },
  } satisfies TitleQueries;
}
