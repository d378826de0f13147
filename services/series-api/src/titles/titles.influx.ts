import { Point } from '@influxdata/influxdb-client';
import type { SeriesStore } from '../database/series-store.ts';
import type { InfluxConnection } from '../database/connection.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';

/** A fixed time, so that a new name replaces the old one. */
const INFO_TIME = '0';
const INFO = `SELECT titleId::tag, known, "name", revision FROM title_info WHERE time <= 0`;

interface KnownTitle {
  name: string;
  revision: number;
}

/** A condition for one title, with the value `titleId`; empty for all. */
export function ofTitle(titleId: string | undefined): string {
  return titleId === undefined ? '' : ' AND titleId = $titleId';
}

export function titles({ influx, withMutex }: StoreParts) {
  return {
    title: async (titleId) => {
      const title = (await knownTitles(influx, titleId)).get(titleId);
      return title ? { titleId, name: title.name } : null;
    },
    titleNames: async () => new Map([...(await knownTitles(influx))].map(([titleId, { name }]) => [titleId, name])),
    putTitleNames: (revision, names) =>
      withMutex(async () => {
        const known = await knownTitles(influx);
        const lines = names
          // Equal values are written too: readable data may not be durable.
          .filter(({ titleId }) => revision >= (known.get(titleId)?.revision ?? -1))
          .map(({ titleId, name }) =>
            titleInfo(titleId).stringField('name', name).intField('revision', revision).toString(),
          );
        await influx.write('daily', lines);
      }),
  } satisfies Partial<SeriesStore>;
}

async function knownTitles(influx: InfluxConnection, titleId?: string): Promise<Map<string, KnownTitle>> {
  const [series = []] = await influx.query(
    'daily',
    `${INFO}${ofTitle(titleId)}`,
    titleId === undefined ? {} : { titleId },
  );
  return new Map(
    series
      .flatMap(({ values }) => values)
      .map(([, id, , name, revision]) => [String(id), { name: String(name ?? ''), revision: Number(revision ?? -1) }]),
  );
}

export function titleInfo(titleId: string): Point {
  return new Point('title_info').tag('titleId', titleId).timestamp(INFO_TIME);
}

export function knownTitleLine(titleId: string): string {
  return titleInfo(titleId).booleanField('known', true).toString();
}
