import { date, emptyToUndefined, formatDate, oneOf, operations, plainText } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import { imagePaths } from '../../image-paths.ts';
import { html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes } from '../../page.ts';
import { boardEntries, ENTRIES_MAX, NOT_KNOWN, readBoard } from './board-entries.ts';
import { boardForm, movementChoices, movementPeriods } from './board-forms.ts';
import { follow } from '../../parts/follow.ts';
import { hero } from '../../parts/game-card.ts';
import { part, section } from '../../parts/part.ts';
import { podium } from './podium.ts';
import { ratingHistogram } from './rating-histogram.ts';
import { recordSentence, recordTable } from './record-history.ts';
import { gameNameOf, day, gameLink, plural, time } from '../../parts/text.ts';

const { getLeaderboard, getLeaderboardRecords, listChanges } = operations;

const query = z.object({
  offset: getLeaderboard.query.shape.offset,
  at: z.string({ error: 'must be given once' }).transform(emptyToUndefined).pipe(date.optional()).optional(),
  around: listChanges.query.shape.player,
  since: oneOf(movementPeriods).optional(),
});

export const leaderboard = definePage({
  id: 'getLeaderboardPage',
  path: '/game/:game/leaderboard/:leaderboardId',
  params: getLeaderboard.params,
  query,
  asks: [getLeaderboard, getLeaderboardRecords],
  view: async ({ params, query: asked }, data) => {
    const { titleId, leaderboardId } = params;
    const { at } = asked;
    const [shown, top, records] = await Promise.all([
      readBoard(params, asked, data),
      data.find(getLeaderboard, params, { at, limit: ENTRIES_MAX }),
      data.find(getLeaderboardRecords, params),
    ]);
    if (top === null && records === null) throw new AppError('not-found', 'Unknown leaderboard');
    if (top === undefined && records === undefined) throw new AppError('unavailable', 'Leaderboards are unavailable');
    const name = top?.name ?? records?.name ?? `Leaderboard ${leaderboardId}`;
    const gameName = top?.gameName ?? records?.gameName ?? gameNameOf(data.titles, titleId);
    const path = links.leaderboard(titleId, leaderboardId, asked);
    const csv = apiPath(getLeaderboard.path, params, { at, format: 'csv' });
    const forms = { key: params, state: { at, around: asked.around, since: asked.since }, today: formatDate(data.now) };
    return {
      title: plainText`${name} · ${gameName}`,
      description: plainText`Ranks, records and movements of the leaderboard ${name} of ${gameName}.`,
      path,
      image: apiPath(imagePaths.leaderboard, { game: titleId, leaderboardId }),
      topics: at === undefined ? ['changes'] : [],
      alternates: [
        { type: mediaTypes.json, href: apiPath(getLeaderboard.path, params, { at }), title: 'Leaderboard as JSON' },
        { type: mediaTypes.csv, href: csv, title: 'Leaderboard as CSV' },
        { type: mediaTypes.json, href: apiPath(getLeaderboardRecords.path, params), title: 'Records as JSON' },
        {
          type: mediaTypes.csv,
          href: apiPath(getLeaderboardRecords.path, params, { format: 'csv' }),
          title: 'Records as CSV',
        },
        {
          type: mediaTypes.atom,
          href: apiPath(operations.getTitleChangesFeed.path, params),
          title: 'Changes of this game as Atom',
        },
      ],
      content: html`${hero(
        titleId,
        html`<h1 id="heading"><bdi>${name}</bdi></h1>
          <p class="lead">
            ${gameLink(data.titles, titleId, gameName, false)}${top && html` · ${plural(top.total, 'entry', 'entries')}`}${top?.observed_at !== undefined && html` · read ${time(top.observed_at)}`}
          </p>
          ${records && html`<p id="record">${recordSentence(records)}</p>`}
          ${follow('leaderboard', `${titleId}:${leaderboardId}`, links.leaderboard(titleId, leaderboardId))}`,
        podium(top),
      )}
      ${section(
        'entries',
        at === undefined ? 'Entries' : html`Entries at the end of ${day(at)} (UTC)`,
        html`${at === undefined && html`<div data-island="own-entry" data-title="${titleId}" data-board="${leaderboardId}"></div>`}
          <div data-island="friends" data-friends="board" data-title="${titleId}" data-board="${leaderboardId}"></div>
          ${boardForm(forms)} ${await boardEntries({ found: shown, top, asked, params, data })}`,
        movementChoices(forms),
      )}
      ${section('ratings', 'Distribution', top === null ? NOT_KNOWN : part(top, ratingHistogram))}
      ${section('records', 'Record history', recordTable(records, data.now))}`,
    };
  },
});
