import type { GameMetadata } from '@lobbystats/contracts';
import { openSqliteStore, type SqliteStore } from '@lobbystats/sqlite-store';
import type { TitleRecord } from '../../domain/title-record.ts';
import type { TitleCommit, TitleFact, TitleStore } from '../../domain/title-store.ts';
import { titleMigrations } from './title-migrations.ts';
import { fromRow, toValues, UPSERT_TITLE, type TitleRow } from './title-row.ts';

/**
 * Opens the titles in a SQLite file.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @param origin the network whose titles they are
 * @throws StoreRefusedError when the file is another network's or newer code's
 */
export function openSqliteTitleStore(url: string, origin: string): TitleStore {
  // Pages are told of when they change: what a power cut took might not come again for years.
  return new SqliteTitleStore(
    openSqliteStore({ url, origin, name: 'catalog', migrations: titleMigrations, durability: 'full' }),
  );
}

class SqliteTitleStore implements TitleStore {
  readonly #sqlite: SqliteStore;

  constructor(sqlite: SqliteStore) {
    this.#sqlite = sqlite;
  }

  async revision(): Promise<number> {
    return this.#revision();
  }

  async read(): Promise<{ revision: number; records: TitleRecord[] }> {
    return this.#sqlite.transaction(() => ({
      revision: this.#revision(),
      records: this.#sqlite.all<TitleRow>('SELECT * FROM title').map(fromRow),
    }));
  }

  async commit({ expectedRevision, revision, records, facts }: TitleCommit): Promise<boolean> {
    return this.#sqlite.transaction(() => {
      const moved = this.#sqlite.run('UPDATE catalog SET revision = ? WHERE revision = ?', revision, expectedRevision);
      if (moved === 0) return false;
      for (const record of records) this.#sqlite.run(UPSERT_TITLE, ...toValues(record));
      for (const fact of facts) {
        this.#sqlite.run(
          'INSERT INTO outbox (revision, occurred_at, past, titles) VALUES (?, ?, ?, ?)',
          fact.revision,
          fact.occurredAt,
          Number(fact.past),
          JSON.stringify(fact.titles),
        );
      }
      return true;
    });
  }

  async pendingFacts(limit: number): Promise<TitleFact[]> {
    const rows = this.#sqlite.all<OutboxRow>(
      'SELECT revision, occurred_at, past, titles FROM outbox ORDER BY revision LIMIT ?',
      limit,
    );
    return rows.map((row) => ({
      revision: row.revision,
      occurredAt: row.occurred_at,
      past: row.past === 1,
      titles: JSON.parse(row.titles) as GameMetadata[],
    }));
  }

  async removeFact(revision: number): Promise<void> {
    this.#sqlite.run('DELETE FROM outbox WHERE revision = ?', revision);
  }

  async backlog(): Promise<number> {
    return this.#sqlite.get<{ n: number }>('SELECT count(*) AS n FROM outbox')?.n ?? 0;
  }

  async check(): Promise<void> {
    this.#sqlite.check();
  }

  async close(): Promise<void> {
    this.#sqlite.close();
  }

  #revision(): number {
    return this.#sqlite.get<{ revision: number }>('SELECT revision FROM catalog')?.revision ?? 0;
  }
}

interface OutboxRow {
  revision: number;
  occurred_at: number;
  past: number;
  titles: string;
}
