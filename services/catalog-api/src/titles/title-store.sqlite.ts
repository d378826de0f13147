import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { TitleStore, TitleRecord } from './title-store.ts';

export function sqliteTitleStore(sqlite: SqliteStore): TitleStore {
  const revision = () => sqlite.get<{ revision: number }>('SELECT revision FROM catalog')?.revision ?? 0;
  return {
    revision: async () => revision(),
    read: async () =>
      sqlite.transaction(() => ({
        revision: revision(),
        records: sqlite.all<TitleRow>('SELECT * FROM title').map(fromRow),
      })),
    commit: async (change) =>
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

export function fromRow(row: TitleRow): TitleRecord {
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
