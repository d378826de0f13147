import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { SeriesStore } from '../database/series-store.ts';

export function titleKey(titleId: string): number {
  return Number.parseInt(titleId, 16);
}

export function titleIdOf(key: number): string {
  return key.toString(16).padStart(8, '0');
}

/** A condition for one title; empty for all. Takes {@link titleValues}. */
export function ofTitle(titleId: string | undefined): string {
  return titleId === undefined ? '' : 'AND title_id = ?';
}

export function titleValues(titleId: string | undefined): number[] {
  return titleId === undefined ? [] : [titleKey(titleId)];
}

export function titles(store: SqliteStore) {
  return {
    title: async (titleId) => {
      const title = store.get<{ name: string }>('SELECT name FROM title WHERE id = ?', titleKey(titleId));
      return title ? { titleId, name: title.name } : null;
    },
    titleNames: async () =>
      new Map(
        store
          .all<{ id: number; name: string }>('SELECT id, name FROM title')
          .map(({ id, name }) => [titleIdOf(id), name]),
      ),
    putTitleNames: async (revision, names) =>
      store.transaction(() => {
        for (const { titleId, name } of names) {
          store.run(
            `INSERT INTO title (id, name, revision) VALUES (?, ?, ?)
              ON CONFLICT DO UPDATE SET name = excluded.name, revision = excluded.revision
              WHERE excluded.revision > revision`,
            titleKey(titleId),
            name,
            revision,
          );
        }
      }),
  } satisfies Partial<SeriesStore>;
}
