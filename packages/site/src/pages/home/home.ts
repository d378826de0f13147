import { oneOf, operations, type OperationResponse } from '@lobbystats/contracts';
import { z } from 'zod';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { busiestGames, busiestGamesOperations } from './busiest-games.ts';
import { networkNotice, networkNoticeOperations } from './network-notice.ts';
import { networkPlotOperations, networkPlots } from './network-plots.ts';
import { jumpMarks } from '../../parts/jump-marks.ts';
import { missingText } from '../../parts/missing-text.ts';
import { lobbyTable } from '../../parts/lobby-table.ts';
import { list } from '../../parts/list.ts';
import { figures, part, section } from '../../parts/part.ts';
import { plotRanges, rangeChoices, type PlotRange } from '../../parts/ranges.ts';
import { compare, weekChoice, type Compare } from '../../parts/week-before.ts';
import { unlockerList } from '../../parts/unlock-list.ts';
import { formatChange, formatCount, gameLink, name, plural, time, type Titles } from '../../parts/text.ts';
import { weekRecords, weekRecordsOperations } from './week-records.ts';

const { getNow, getOnlineSummary, getDailyRegistered, listLobbies, listRecentUnlocks, listEvents } = operations;

const LISTED = 6;
const LOBBIES = 6;
/** One player may have unlocked many. */
const UNLOCKS = 50;

export const home = definePage({
  id: 'getHomePage',
  path: links.home,
  style: 'home',
  params: z.object({}),
  query: z.object({ range: oneOf(plotRanges).default('24h'), compare }),
  asks: [
    ...networkPlotOperations,
    ...networkNoticeOperations,
    ...busiestGamesOperations,
    ...weekRecordsOperations,
    ...[getNow, getOnlineSummary, getDailyRegistered, listLobbies, listRecentUnlocks, listEvents],
  ],
  view: async ({ query: { range, compare: compared } }, data) => {
    const pagePath = (other: PlotRange, week?: Compare) =>
      links.homeOf({ range: other === '24h' ? undefined : other, compare: week });
    const [now, notice, records, lobbies, plots, games, unlocks, events, missingEvents] = await Promise.all([
      nowSection(data),
      networkNotice(data),
      weekRecords(data),
      data.askPart(listLobbies, {}, { limit: LOBBIES }),
      networkPlots(range, compared, data),
      busiestGames(data),
      data.askPart(listRecentUnlocks, {}, { limit: UNLOCKS }),
      data.askPart(listEvents, {}, { status: 'upcoming', limit: LISTED }),
      missingText('events', data),
    ]);
    return {
      title: 'Who plays what now',
      description: 'Players, lobbies, leaderboards, achievements and events of the network: live, and over time.',
      path: pagePath(range, compared),
      topics: ['online', 'changes', 'unlocks', 'events', 'backfill'],
      alternates: [
        { type: mediaTypes.json, href: getNow.path, title: 'Now as JSON' },
        {
          type: mediaTypes.csv,
          href: apiPath(operations.getOnlineSeries.path, {}, { format: 'csv' }),
          title: 'Players online as CSV',
        },
        { type: mediaTypes.atom, href: operations.getChangesFeed.path, title: 'Leaderboard changes as Atom' },
        { type: mediaTypes.calendar, href: operations.getEventsCalendar.path, title: 'Events as iCalendar' },
      ],
      content: html`${notice}${now}
        ${jumpMarks([
          ['records', 'Records'],
          ['games', 'Games'],
          ['lobbies', 'Lobbies'],
          ['plots', 'Plots'],
          ['unlocks', 'Achievements'],
          ['events', 'Events'],
        ])}
        <div data-island="friends" data-friends="list"></div>
        ${section(
          'records',
          'Records this week',
          records.shown,
          html`<a href="${links.changes({ records: 'only', range: '7d' })}"
            >${records.total ? `All ${plural(records.total, 'record')}` : 'All records'}</a
          >`,
        )}
        ${section('games', 'Busiest games', games, html`<a href="${links.games()}">All games</a>`)}
        ${section(
          'lobbies',
          'Open lobbies',
          part(lobbies, (page) => lobbyTable({ lobbies: page.lobbies, titles: data.titles })),
          html`<a href="${links.live()}"
            >${lobbies ? `All ${plural(lobbies.total, 'lobby', 'lobbies')}` : 'All lobbies'}</a
          >`,
        )}
        ${section(
          'plots',
          'Players and lobbies',
          html`<div class="columns">${plots}</div>`,
          html`${rangeChoices(plotRanges, range, (other) => `${pagePath(other)}#plots`)}
          ${weekChoice(range, compared, (week) => `${pagePath(range, week)}#plots`)}`,
        )}
        <div class="columns">
          ${section(
            'unlocks',
            'Achievements',
            part(unlocks, ({ recent }) => unlockerList(recent, LISTED, 'Nobody has unlocked one yet')),
            html`<a href="${links.achievements()}">All achievements</a>`,
          )}
          ${section(
            'events',
            'Next events',
            part(events, (all) => eventList(data.titles, all, missingEvents)),
            html`<a href="${links.events()}">All events</a>`,
          )}
        </div>
        ${section('api', 'For programs', API)}`,
    };
  },
});

async function nowSection(data: PageData): Promise<Html> {
  const [now, today, registered] = await Promise.all([
    data.askPart(getNow),
    data.askPart(getOnlineSummary),
    data.askPart(getDailyRegistered, {}, { days: 2 }),
  ]);
  const asOf =
    now === undefined
      ? ''
      : now.slot === null
        ? 'The first count is on its way'
        : html`as of ${time(now.slot, 'exact')}`;
  const peakAt = (count: number | undefined, at: string | null | undefined) =>
    at === undefined || at === null ? undefined : html`peak of 24 hours: ${formatCount(count ?? 0)}`;
  const [before, latest] = (registered ?? []).map(({ registered_count }) => registered_count);
  return html`<section class="intro" aria-labelledby="heading">
    <div class="head">
      <h1 id="heading">Who plays what now</h1>
      <p id="as-of">${asOf}</p>
    </div>
    <p class="lead">
      Which games are busy, which lobbies have room, who took whose record: the whole network, counted every five
      minutes.
    </p>
    ${part(now, ({ slot, online, lobbies, registered: users, gamesWithPlayers }) => {
      const shown = (count: number | null) => (slot === null ? '–' : formatCount(count));
      return figures([
        {
          ...{ name: 'Players online', value: shown(online), href: `${links.live()}#online` },
          aside: peakAt(today?.peakOnline, today?.peakOnlineAt),
        },
        {
          ...{ name: 'Open lobbies', value: shown(lobbies), href: links.live() },
          aside: peakAt(today?.peakLobbies, today?.peakLobbiesAt),
        },
        { name: 'Games with players', value: shown(gamesWithPlayers), href: links.games() },
        {
          ...{ name: 'Registered players', value: formatCount(users), href: links.network() },
          aside:
            before === undefined || latest === undefined
              ? undefined
              : `${formatChange(latest - before)} since yesterday`,
        },
      ]);
    })}
  </section>`;
}

function eventList(titles: Titles, events: OperationResponse<typeof listEvents>, missing: string | undefined): Html {
  return list({
    id: 'event',
    rows: events,
    key: ({ id }) => id,
    empty: missing ?? 'No event is announced',
    item: ({ id, title, title_id, game_name, starts_at }) =>
      html`<a href="${links.event(id)}">${name(title)}</a> · ${gameLink(titles, title_id, game_name)}
        <p class="hint">${time(starts_at, 'exact')}</p>`,
  });
}

const API = html`<p>
  Everything here is public data: a JSON API without keys, CSV, feeds and a live stream.
  <a href="${links.guide}">Getting started</a>, <a href="${links.docs}">all operations</a>.
</p>`;
