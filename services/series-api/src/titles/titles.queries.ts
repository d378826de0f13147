import { AppError } from '@lobbystats/contracts/errors';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { lineOf } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';

export type TitleQueries = ReturnType<typeof titlesInSqlite>;

interface TitleName {
  titleId: string;
  name: string;
}

/** @throws AppError `not-found` for a title that has neither a name nor a snapshot */
export async function titleHeader(store: Pick<TitleQueries, 'title'>, titleId: string) {
  const title = await store.title(titleId);
  if (title === null) throw new AppError('not-found', 'Unknown title');
  return { titleId, gameName: title.name };
}

export function titleKey(titleId: string): number {
  return Number.parseInt(titleId, 16);
}

export function titleIdOf(key: number): string {
  return key.toString(16).padStart(8, '0');
}

/** A condition for one title; empty for all. Takes {@link titleValues}. */
export function ofTitleKey(titleId: string | undefined): string {
  return titleId === undefined ? '' : 'AND title_id = ?';
}

export function titleValues(titleId: string | undefined): number[] {
  return titleId === undefined ? [] : [titleKey(titleId)];
}

export function titlesInSqlite(store: SqliteStore) {
  return {
    /** Null when it has neither a name nor a slot. */
    title: async (titleId: string): Promise<TitleName | null> => {
      const title = store.get<{ name: string }>('SELECT name FROM title WHERE id = ?', titleKey(titleId));
      return title ? { titleId, name: title.name } : null;
    },
    /** The keys are title IDs; titles without a name have an empty one. */
    titleNames: async (): Promise<ReadonlyMap<string, string>> =>
      new Map(
        store
          .all<{ id: number; name: string }>('SELECT id, name FROM title')
          .map(({ id, name }) => [titleIdOf(id), name]),
      ),
    /** The higher revision wins. */
    putTitleNames: async (revision: number, names: readonly TitleName[]) =>
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
  };
}

const INFO = `SELECT titleId::tag, known, "name", revision FROM title_info WHERE time <= 0`;

/** A condition for one title, with the value `titleId`; empty for all. */
export function ofTitle(titleId: string | undefined): string {
  return titleId === undefined ? '' : ' AND titleId = $titleId';
}

export function titlesInInflux({ influx, withMutex }: InfluxSeries) {
  const knownTitles = async (titleId?: string) => {
    const values = titleId === undefined ? {} : { titleId };
    const [series = []] = await influx.query('daily', `${INFO}${ofTitle(titleId)}`, values);
    return new Map(
      series
        .flatMap((one) => one.values)
        .map(([, id, , name, revision]) => [
          String(id),
          { name: String(name ?? ''), revision: Number(revision ?? -1) },
        ]),
    );
  };
  return {
    title: async (titleId) => {
      const title = (await knownTitles(titleId)).get(titleId);
      return title ? { titleId, name: title.name } : null;
    },
    titleNames: async () => new Map([...(await knownTitles())].map(([titleId, { name }]) => [titleId, name])),
    putTitleNames: (revision, names) =>
      withMutex(async () => {
        const known = await knownTitles();
        const lines = names
          // Equal values are written too: readable data may not be durable.
          .filter(({ titleId }) => revision >= (known.get(titleId)?.revision ?? -1))
          .map(({ titleId, name }) => titleNameLine(titleId, { name, revision }));
        await influx.write('daily', lines);
      }),
  } satisfies TitleQueries;
}

/** At a fixed time, so that a new name replaces the old one. */
export function titleNameLine(titleId: string, fields: { known?: true; name?: string; revision?: number }): string {
  return lineOf({ measurement: 'title_info', tags: { titleId }, time: '0' }, fields);
}
