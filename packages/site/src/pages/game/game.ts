import { oneOf, operations, type GameMetadata, isolated, plainText } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import { imagePaths } from '../../image-paths.ts';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type Alternate } from '../../page.ts';
import { follow } from '../../parts/follow.ts';
import { hero } from '../../parts/game-card.ts';
import { jumpMarks } from '../../parts/jump-marks.ts';
import { missingTextOperations } from '../../parts/missing-text.ts';
import { monthTable } from '../../parts/months.ts';
import { part, section } from '../../parts/part.ts';
import { recordsOperations } from '../../parts/records.ts';
import { plotRanges, rangeChoices, rangeTexts, snapshotRanges, YEAR_DAYS, type PlotRange } from '../../parts/ranges.ts';
import { gameNameOf, day, name } from '../../parts/text.ts';
import { compare, weekChoice, type Compare } from '../../parts/week-before.ts';
import { embeds, oembedLinks } from './embeds.ts';
import { gameFigures, gameFiguresOperations } from './figures.ts';
import { busyHours, tonight } from './heat-map.ts';
import { gameBoards } from './boards.ts';
import { gameAchievements, gameChanges, gameEvents, gamePeople } from './lists.ts';
import { matchHistory, openLobbies } from './lobbies.ts';
import { gamePlots, gamePlotsOperations } from './plots.ts';

const {
  getActivity,
  getGame,
  getLatestActivity,
  getMatches,
  getMatchHistory,
  getTitleOnlineHistory,
  getDailyStats,
  getTitleChangesFeed,
  getTitleEventsCalendar,
  listAchievements,
  listEvents,
  listGames,
  listLobbies,
  listRecordHolders,
  listTitleChanges,
  listUsersOnline,
} = operations;

const DEFAULT_RANGE = '24h';

const query = z.object({
  range: oneOf(plotRanges).default(DEFAULT_RANGE),
  compare,
  /** Offset in the match history. */
  matches: getMatchHistory.query.shape.offset,
  /** Words in the names of leaderboards or record holders. */
  board: listGames.query.shape.q,
});

export const game = definePage({
  id: 'getGamePage',
  path: '/game/:game',
  params: getGame.params,
  query,
  style: 'game',
  asks: [
    ...gameFiguresOperations,
    ...gamePlotsOperations,
    ...[getGame, getActivity, getLatestActivity, getMatches, getMatchHistory],
    ...[listAchievements, listEvents, listLobbies, listRecordHolders, listTitleChanges, listUsersOnline],
    ...missingTextOperations,
    ...recordsOperations,
  ],
  view: async ({ params: { titleId }, query: { range, compare: compared, matches, board } }, data) => {
    const known = data.titles.known(titleId);
    if (known === undefined) throw new AppError('not-found', 'Unknown game');
    const gameName = gameNameOf(data.titles, titleId);
    const pagePath = (other: PlotRange, offset = 0, week?: Compare) =>
      links.game(titleId, {
        range: other === DEFAULT_RANGE ? undefined : other,
        compare: week,
        matches: offset === 0 ? undefined : offset,
      });
    const [figures, people, lobbies, events, evening, plots, hours, months, boards, changes, achievements, history] =
      await Promise.all([
        gameFigures(titleId, data),
        gamePeople(titleId, gameName, data),
        openLobbies(titleId, data),
        gameEvents(titleId, data),
        tonight(titleId, data),
        gamePlots(titleId, range, compared, data),
        busyHours(titleId, data),
        data.askPart(getDailyStats, { titleId }, { days: YEAR_DAYS }),
        gameBoards(titleId, board, data),
        gameChanges(titleId, data),
        gameAchievements(titleId, data),
        matchHistory({ titleId, range, offset: matches, href: (offset) => `${pagePath(range, offset)}#matches` }, data),
      ]);
    return {
      title: isolated(gameName),
      description: plainText`${gameName}: users online now and over time, busiest hours, lobbies, leaderboards and events.`,
      path: pagePath(range, matches, compared),
      image: apiPath(imagePaths.game, { game: titleId }),
      head: oembedLinks(titleId, data),
      topics: ['online', 'changes', 'events', 'unlocks', 'backfill'],
      alternates: alternates(titleId, range),
      content: html`${hero(
          titleId,
          html`<h1 id="heading">${name(gameName)}</h1>
            ${about(known, gameName)} ${actions(titleId, range)}`,
        )}
        ${figures} ${jumpMarks(SECTIONS)}
        <div class="columns">${people} ${lobbies} ${events}</div>
        ${evening}
        ${section(
          'plots',
          rangeTexts[range],
          html`${weekChoice(range, compared, (week) => `${pagePath(range, matches, week)}#plots`)}
            <div class="columns">${plots}</div>`,
          rangeChoices(plotRanges, range, (other) => `${pagePath(other)}#plots`),
        )}
        ${section('hours', 'Busiest hours', hours)} ${boards}
        <div class="columns">${changes} ${achievements}</div>
        ${section(
          'months',
          'Months',
          part(months, ({ stats }) => monthTable(stats, data.now)),
        )}
        ${history} ${embeds(known, gameName, data)}`,
    };
  },
});

const SECTIONS = [
  ['online', 'Online'],
  ['lobbies', 'Lobbies'],
  ['plots', 'Plots'],
  ['hours', 'Busy hours'],
  ['leaderboards', 'Leaderboards'],
  ['changes', 'Changes'],
  ['matches', 'Matches'],
] as const;

/** Returns the buttons beside the name of the game. */
function actions(titleId: string, range: PlotRange): Html {
  return html`<div class="actions">
    ${follow('game', titleId, links.game(titleId))}
    <a class="button" href="${links.compare({ games: titleId, range: comparedRange(range) })}">Compare</a>
  </div>`;
}

/** Comparisons have no year. */
function comparedRange(range: PlotRange): PlotRange | undefined {
  if (range === '1y') return '30d';
  return range === DEFAULT_RANGE ? undefined : range;
}

function about({ title, publisher, releaseDate }: GameMetadata, gameName: string): Html | '' {
  const parts = [
    title !== '' && title !== gameName && name(title),
    publisher !== '' && html`<a href="${links.games({ q: publisher })}">${name(publisher)}</a>`,
    releaseDate !== '' && html`released ${day(releaseDate)}`,
  ].filter((shown) => shown !== false);
  if (parts.length === 0) return '';
  return html`<p class="about">${parts.map((shown, index) => html`${index > 0 && ' · '}${shown}`)}</p>`;
}

function alternates(titleId: string, range: PlotRange): readonly Alternate[] {
  const params = { titleId };
  const csv =
    range === '1y'
      ? apiPath(getDailyStats.path, params, { days: 365, format: 'csv' })
      : apiPath(getTitleOnlineHistory.path, params, {
          hours: 24 * snapshotRanges[range].days,
          resolution: snapshotRanges[range].resolution,
          format: 'csv',
        });
  return [
    { type: mediaTypes.json, href: apiPath(getGame.path, params), title: 'Game as JSON' },
    { type: mediaTypes.csv, href: csv, title: `Users online of ${rangeTexts[range]} as CSV` },
    {
      type: mediaTypes.csv,
      href: apiPath(getMatchHistory.path, params, { format: 'csv' }),
      title: 'Matches of 24 hours as CSV',
    },
    { type: mediaTypes.atom, href: apiPath(getTitleChangesFeed.path, params), title: 'Leaderboard changes as Atom' },
    { type: mediaTypes.calendar, href: apiPath(getTitleEventsCalendar.path, params), title: 'Events as iCalendar' },
  ];
}
