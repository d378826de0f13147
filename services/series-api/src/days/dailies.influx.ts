import type { SeriesStore, RegisteredCount, TitleDay } from '../database/series-store.ts';
import type { Period } from '../snapshots/periods.ts';
import { lineOf, timeOf } from '../snapshots/points.influx.ts';
import { fieldsOf, IN_PERIOD, periodValues, type Row } from '../database/query-response.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';

const TITLE_DAY_FIELDS = [
  'lobbyCount',
  'uniqueHosts',
  'peakPlayers',
  'peakOnline',
  'onlineSum',
  'samples',
  'newestSlot',
] as const;

export function dailies(parts: StoreParts) {
  const { influx, horizon } = parts;
  return {
    putRegistered: (counts) => putRegistered(parts, counts),
    registered: (period) => registered(parts, period),
    titleDays: async (titleId, period) => {
      const [series] = await influx.query(
        'daily',
        `SELECT ${TITLE_DAY_FIELDS.join(', ')} FROM title_daily
          WHERE titleId = $titleId AND ${IN_PERIOD}`,
        { titleId, ...periodValues(period, horizon.dailies()) },
      );
      return (series?.[0]?.values ?? []).map(titleDay);
    },
  } satisfies Partial<SeriesStore>;
}

/** The later reading of a day wins; on a tie the greater count. */
export function putRegistered(parts: StoreParts, counts: readonly RegisteredCount[]): Promise<void> {
  return parts.withMutex(async () => {
    if (counts.length === 0) return;
    const days = counts.map(({ day }) => day);
    const stored = await registered(parts, { after: Math.min(...days) - 1, until: Math.max(...days) });
    const best = new Map(stored.map((count) => [count.day, count]));
    const changed = new Set<number>();
    for (const count of counts) {
      const other = best.get(count.day);
      // Equal values are written too: readable data may not be durable.
      if (other !== undefined && isNewer(other, count)) continue;
      best.set(count.day, count);
      changed.add(count.day);
    }
    await parts.influx.write('daily', [...best.values()].filter(({ day }) => changed.has(day)).map(registeredLine));
  });
}

async function registered({ influx, horizon }: StoreParts, period: Period): Promise<RegisteredCount[]> {
  const statement = `SELECT registered, seenAt FROM site_daily WHERE ${IN_PERIOD}`;
  const [series] = await influx.query('daily', statement, periodValues(period, horizon.dailies()));
  return (series?.[0]?.values ?? []).map(registeredCount);
}

function registeredCount([day, count, seenAt]: Row): RegisteredCount {
  return { day: Number(day), registered: Number(count), seenAt: Number(seenAt) };
}

export function registeredLine({ day, registered, seenAt }: RegisteredCount): string {
  return lineOf('site_daily', { time: timeOf(day) }, { registered, seenAt });
}

export function titleDayLine(titleId: string, { day, ...statistics }: TitleDay): string {
  return lineOf('title_daily', { titleId, time: timeOf(day) }, statistics);
}

function isNewer(a: RegisteredCount, b: RegisteredCount): boolean {
  return a.seenAt > b.seenAt || (a.seenAt === b.seenAt && a.registered > b.registered);
}

function titleDay([day, ...counts]: Row): TitleDay {
  return { day: Number(day), ...fieldsOf(TITLE_DAY_FIELDS, counts) } as TitleDay;
}
