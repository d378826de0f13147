import { operations, sourceContents, type OperationResponse, type EpochSeconds } from '@lobbystats/contracts';
import { z } from 'zod';
import { maximumOf } from '../../bounds.ts';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { completeness } from './completeness.ts';
import { dailyPlots, registeredPlots } from './network-days.ts';
import { jumpMarks } from '../../parts/jump-marks.ts';
import { figures, part, section } from '../../parts/part.ts';
import { day, formatCount, time } from '../../parts/text.ts';
import { monthTable } from '../../parts/months.ts';

const {
  getNow,
  listGames,
  listChanges,
  getDailyRegistered,
  getDailyOnline,
  getNetworkRecords,
  getOnlineSeries,
  getLobbySeries,
  getStatus,
} = operations;

const REGISTERED_DAYS = maximumOf(getDailyRegistered.query.shape.days);
const ONLINE_DAYS = maximumOf(getDailyOnline.query.shape.days);
const SNAPSHOT_DAYS = maximumOf(getOnlineSeries.query.shape.days);

export const network = definePage({
  id: 'getNetworkPage',
  path: links.network(),
  params: z.object({}),
  query: z.object({}),
  asks: [
    ...[getNow, listGames, listChanges, getDailyRegistered, getDailyOnline],
    ...[getNetworkRecords, getOnlineSeries, getLobbySeries, getStatus],
  ],
  view: async (_request, data) => {
    const [totals, registered, days, records, snapshots, status] = await Promise.all([
      totalsSection(data),
      data.askPart(getDailyRegistered, {}, { days: REGISTERED_DAYS }),
      data.askPart(getDailyOnline, {}, { days: ONLINE_DAYS }),
      data.askPart(getNetworkRecords),
      data.askPart(getOnlineSeries, {}, { days: SNAPSHOT_DAYS, resolution: 'raw' }),
      data.askPart(getStatus),
    ]);
    // A network without pages of games has no count of lobbies in any slot.
    const hasLobbies = status?.missingSources.every(({ source }) => source !== 'titles') ?? true;
    const lobbies = hasLobbies
      ? await data.askPart(getLobbySeries, {}, { days: SNAPSHOT_DAYS, resolution: 'raw' })
      : snapshots;
    const registeredCsv = apiPath(getDailyRegistered.path, {}, { days: REGISTERED_DAYS, format: 'csv' });
    const daysCsv = apiPath(getDailyOnline.path, {}, { days: ONLINE_DAYS, format: 'csv' });
    return {
      title: 'The network over time',
      description: 'Registered players, players online by day and month, records of all time, and missing data.',
      path: links.network(),
      topics: ['online', 'changes', 'backfill'],
      alternates: [
        {
          type: mediaTypes.json,
          href: apiPath(getDailyOnline.path, {}, { days: ONLINE_DAYS }),
          title: 'Players online by day as JSON',
        },
        { type: mediaTypes.csv, href: daysCsv, title: 'Players online by day as CSV' },
        { type: mediaTypes.csv, href: registeredCsv, title: 'Registered players by day as CSV' },
        { type: mediaTypes.json, href: getNetworkRecords.path, title: 'Records as JSON' },
      ],
      content: html`<section class="intro" aria-labelledby="heading">
          <div class="head"><h1 id="heading">The network over time</h1></div>
          <p class="lead">How many play here, when most did, and whether it grows.</p>
          ${totals}
        </section>
        ${jumpMarks([
          ['records', 'Records'],
          ['registered', 'Registered players'],
          ['days', 'By day'],
          ['months', 'By month'],
          ['completeness', 'Completeness'],
        ])}
        ${section('records', 'Records of all time', part(records, recordFigures))}
        ${section(
          'registered',
          'Registered players',
          part(registered, (rows) => registeredPlots(rows, registeredCsv, data.now)),
        )}
        ${section(
          'days',
          'Players online by day',
          part(days, (rows) => dailyPlots(rows, records, daysCsv, data.now)),
        )}
        ${section(
          'months',
          'Months',
          part(days, (rows) => networkMonths(rows, data.now)),
        )}
        ${section(
          'completeness',
          'Completeness of the data',
          html`${missingSources(status?.missingSources ?? [])}
          ${part(snapshots, (rows) => part(lobbies, (whole) => completeness(rows, whole, SNAPSHOT_DAYS)))}`,
        )}`,
    };
  },
});

/** Explains pages that are empty because the network does not offer their data. */
function missingSources(missing: OperationResponse<typeof getStatus>['missingSources']): Html | '' {
  if (missing.length === 0) return '';
  return html`<ul class="missing-sources">
    ${missing.map(
      ({ source, since, reason }) =>
        html`<li>The network offers no ${sourceContents[source]}, since ${time(since, 'exact')} (${reason}).</li>`,
    )}
  </ul>`;
}

async function totalsSection(data: PageData): Promise<Html> {
  const [now, games, changes] = await Promise.all([
    data.askPart(getNow),
    data.askPart(listGames, {}, { limit: 1 }),
    data.askPart(listChanges, {}, { limit: 1 }),
  ]);
  const shown = (count: number | null | undefined) => formatCount(count ?? null);
  return html`${figures([
    { name: 'Registered players', value: shown(now?.registered) },
    { name: 'Players online now', value: shown(now?.slot === null ? null : now?.online), href: links.live() },
    { name: 'Games', value: shown(games?.total), href: links.games() },
    { name: 'Leaderboard changes', value: shown(changes?.total), href: links.changes() },
  ])}
  ${[now, games, changes].includes(undefined) && html`<p class="hint">A dash: unavailable at the moment.</p>`}`;
}

function recordFigures({ online, lobbies, matches }: OperationResponse<typeof getNetworkRecords>): Html {
  return figures([
    {
      name: 'Most players online',
      value: formatCount(online?.count ?? null),
      aside: online === null ? undefined : time(online.at),
    },
    {
      name: 'Most open lobbies',
      value: formatCount(lobbies?.count ?? null),
      aside: lobbies === null ? undefined : time(lobbies.at),
    },
    {
      name: 'Most matches begun on a day',
      value: formatCount(matches?.count ?? null),
      aside: matches === null ? undefined : day(matches.date),
    },
  ]);
}

type Days = OperationResponse<typeof operations.getDailyOnline>;

/** The network by month, newest first. @param days ascending */
function networkMonths(days: Days, now: EpochSeconds): Html {
  return monthTable(days, now, [
    { heading: 'Time of the peak', isMinor: true, cell: ({ peak }) => time(peak.peak_online_at) },
    {
      heading: 'Peak of lobbies',
      isNumber: true,
      isMinor: true,
      cell: ({ days: all }) => {
        const lobbies = all.flatMap(({ peak_lobbies }) => peak_lobbies ?? []);
        return formatCount(lobbies.length === 0 ? null : Math.max(...lobbies));
      },
    },
    {
      heading: 'Matches begun',
      isNumber: true,
      cell: ({ days: all }) => formatCount(all.reduce((sum, { matches }) => sum + matches, 0)),
    },
  ]);
}
