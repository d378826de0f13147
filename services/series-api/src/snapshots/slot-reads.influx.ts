import { compareCodePoints, type EpochSeconds, SLOT_SECONDS, slotOf, type TitleCounts } from '@lobbystats/contracts';
import type { Period } from './periods.ts';
import type { SeriesPoint, SeriesStore, TitleLobbies, TitlePeak } from '../database/series-store.ts';
import type { SiteSnapshot, TitleSnapshot } from './snapshots.ts';
import { isNullable, titleFields } from './title-counts.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';
import {
  fieldsOf,
  IN_PERIOD,
  instantValue,
  periodValues,
  type Row,
  type Series,
} from '../database/query-response.influx.ts';
import { ofTitle } from '../titles/titles.influx.ts';

export function slotReads({ influx, horizon }: StoreParts) {
  const points = async (statement: string, period: Period, titleId = ''): Promise<SeriesPoint[]> => {
    const values = { ...periodValues(period, horizon.snapshots()), titleId };
    // Rows already are pairs of time and count.
    return rowsIn(await influx.query('snapshots', statement, values)) as SeriesPoint[];
  };
  const instantOf = async (statement: string, { after, until }: Period): Promise<EpochSeconds | null> => {
    const [row] = await points(statement, { after, until });
    return row?.[0] ?? null;
  };

  const titlePeaks = async (...query: Parameters<typeof influx.query>): Promise<TitlePeak[]> => {
    const [found] = await influx.query(...query);
    return byTitle(found)
      .map(([titleId, row]) => {
        const [, peak = 0, total = 0, samples = 0] = row.map(Number);
        return { titleId, peak, total, samples };
      })
      .sort(byTitleId);
  };

  const openMatchValues = (period: Period) => ({
    ...periodValues(period, horizon.snapshots()),
    end: instantValue(slotOf(period.until) + SLOT_SECONDS),
  });

  return {
    siteSnapshots: async (period) => {
      const statement = `SELECT ${SITE_FIELDS.join(', ')} FROM site WHERE ${IN_PERIOD}`;
      return rowsIn(await influx.query('snapshots', statement, periodValues(period, horizon.snapshots()))).map(
        siteSnapshot,
      );
    },
    slotBefore: (instant) =>
      instantOf(`SELECT last(online) FROM site WHERE ${IN_PERIOD}`, { after: 0, until: instant - 1 }),
    slotAfter: (instant) =>
      instantOf(`SELECT first(online) FROM site WHERE ${IN_PERIOD}`, { after: instant, until: Infinity }),
    siteOnline: (period) => points(`SELECT online FROM site WHERE ${IN_PERIOD}`, period),
    siteLobbies: (period) => points(`SELECT lobbies FROM site WHERE ${IN_PERIOD}`, period),
    titleOnline: (titleId, period) =>
      points(`SELECT online FROM title WHERE titleId = $titleId AND ${IN_PERIOD}`, period, titleId),
    titlePeaks: async (period) => {
      const statement = `SELECT max(online), sum(online), count(online) FROM title WHERE ${IN_PERIOD} GROUP BY titleId`;
      return titlePeaks('snapshots', statement, periodValues(period, horizon.snapshots()));
    },
    titleDayPeaks: async (period) => {
      const statement = `SELECT max(peakOnline), sum(onlineSum), sum(samples) FROM title_daily WHERE ${IN_PERIOD}
        GROUP BY titleId`;
      return titlePeaks('daily', statement, periodValues(period, horizon.dailies()));
    },
    titlesIn: async (slot, titleId) => {
      const statement = `SELECT titleId::tag, ${titleFields.join(', ')} FROM title
        WHERE ${IN_PERIOD}${ofTitle(titleId)}`;
      const values = { ...periodValues({ after: slot - 1, until: slot }, horizon.snapshots()), titleId: titleId ?? '' };
      return rowsIn(await influx.query('snapshots', statement, values))
        .map(titleSnapshot)
        .sort(byTitleId);
    },
    lobbiesIn: async (slot, titleId) => {
      const [matches] = await influx.query('snapshots', `${OPEN_MATCHES}${ofTitle(titleId)}`, {
        ...openMatchValues({ after: slot - 1, until: slot }),
        titleId: titleId ?? '',
      });
      return hostsByTitle(matches, () => slot);
    },
    newestLobbies: async (titleIds, period) => {
      if (titleIds.length === 0) return [];
      // Title IDs consist of hexadecimal digits.
      const some = `titleId =~ /^(${titleIds.join('|')})$/`;
      const newest = `SELECT last(lobbies) FROM title WHERE ${some} AND ${IN_PERIOD} GROUP BY titleId`;
      const [titles, matches] = await influx.query(
        'snapshots',
        `${newest}; ${OPEN_MATCHES} AND ${some}`,
        openMatchValues(period),
      );
      const slots = new Map(byTitle(titles).map(([titleId, [slot]]) => [titleId, Number(slot)]));
      const open = new Map(hostsByTitle(matches, (id) => slots.get(id)).map(({ titleId, hosts }) => [titleId, hosts]));
      return [...slots.keys()].map((titleId) => ({ titleId, hosts: open.get(titleId) ?? [] }));
    },
  } satisfies Partial<SeriesStore>;
}

/** Takes {@link openMatchValues}: the points of a slot's matches are within the slot. */
const OPEN_MATCHES = 'SELECT titleId::tag, host FROM match WHERE time > $after AND time < $end';

/** Hosts of each title in the slot that `slotOfTitle` returns. */
function hostsByTitle(
  matches: readonly Series[] = [],
  slotOfTitle: (titleId: string) => EpochSeconds | undefined,
): TitleLobbies[] {
  const rows = matches
    .flatMap(({ values }) => values)
    .filter(([time, titleId]) => slotOf(Number(time)) === slotOfTitle(String(titleId)));
  return [...Map.groupBy(rows, ([, titleId]) => String(titleId))].map(([titleId, open]) => ({
    titleId,
    hosts: open.map(([, , host]) => String(host)),
  }));
}

function rowsIn(found: readonly (readonly Series[])[]): readonly Row[] {
  return found[0]?.[0]?.values ?? [];
}

export function byTitle(series: readonly Series[] = []): [titleId: string, row: Row][] {
  return series.map(({ tags, values: [row = []] }) => [tags?.['titleId'] ?? '', row]);
}

const SITE_FIELDS = ['online', 'registered', 'lobbies', 'missing'] as const;

/** @param row time and {@link SITE_FIELDS} */
function siteSnapshot([slot, ...counts]: Row): SiteSnapshot {
  return { slot: Number(slot), ...fieldsOf(SITE_FIELDS, counts) } as SiteSnapshot;
}

/** @param row time, `titleId::tag` and {@link titleFields} */
function titleSnapshot([, titleId, ...counts]: Row): TitleSnapshot {
  const fields = fieldsOf(titleFields, counts);
  // A point from before a count was observed has none.
  const known = titleFields.map((name) => [name, fields[name] ?? (isNullable(name) ? null : 0)]);
  return { titleId: String(titleId), ...(Object.fromEntries(known) as TitleCounts) };
}

function byTitleId(a: { titleId: string }, b: { titleId: string }): number {
  return compareCodePoints(a.titleId, b.titleId);
}
