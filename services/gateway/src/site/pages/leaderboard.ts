import {
  date,
  DAY_SECONDS,
  emptyToUndefined,
  formatDate,
  oneOf,
  operations,
  parseInstant,
  type OperationResponse,
} from '@lobbystats/contracts';
import { notFound } from '@lobbystats/service-kit';
import { z } from 'zod';
import { imagePaths } from '../../images/image-paths.ts';
import { maximumOf } from '../bounds.ts';
import { html, type Html } from '../html.ts';
import { apiPath, links } from '../links.ts';
import { definePage, mediaTypes, tagsOf, type PageData } from '../page.ts';
import { boardForms, movementPeriods, type MovementPeriod } from '../parts/board-forms.ts';
import { boardTable, type Board, type EarlierBoard } from '../parts/board-table.ts';
import { pager } from '../parts/pager.ts';
import { empty, part, section } from '../parts/part.ts';
import { ratingHistogram } from '../parts/rating-histogram.ts';
import { recordSentence, recordTable } from '../parts/record-history.ts';
import { day, gameLink, plural, time } from '../parts/text.ts';

const { getLeaderboard, getLeaderboardRecords, listChanges } = operations;

const ROWS = 50;
const { limit, offset } = getLeaderboard.query.shape;
const ENTRIES_MAX = maximumOf(limit);
const PERIOD_DAYS: Readonly<Record<MovementPeriod, number>> = { '1d': 1, '7d': 7 };

const query = z.object({
  offset,
  at: z.string({ error: 'must be given once' }).transform(emptyToUndefined).pipe(date.optional()).optional(),
  around: listChanges.query.shape.player,
  since: oneOf(movementPeriods).optional(),
});
type Query = z.output<typeof query>;
type Params = z.output<typeof getLeaderboard.params>;
type Records = OperationResponse<typeof getLeaderboardRecords>;

export const leaderboard = definePage({
  id: 'getLeaderboardPage',
  path: '/game/:game/leaderboard/:leaderboardId',
  params: getLeaderboard.params,
  query,
  tags: (params) => tagsOf([getLeaderboard, getLeaderboardRecords], params),
  view: async ({ params, query: asked }, data) => {
    const { titleId, leaderboardId } = params;
    const { at } = asked;
    const [shown, top, records] = await Promise.all([
      readBoard(params, asked, data),
      data.find(getLeaderboard, params, { at, limit: ENTRIES_MAX }),
      data.find(getLeaderboardRecords, params),
    ]);
    if (top === null && records === null && at === undefined) throw notFound('leaderboard');
    const name = top?.name ?? records?.name ?? `Leaderboard ${leaderboardId}`;
    const gameName = top?.gameName ?? records?.gameName ?? data.titles.nameOf(titleId);
    const path = links.leaderboard(titleId, leaderboardId);
    const href = (changed: Partial<Query>) =>
      links.leaderboard(titleId, leaderboardId, { ...asked, offset: undefined, ...changed });
    const csv = apiPath(getLeaderboard.path, params, { at, format: 'csv' });
    return {
      title: `${name} · ${gameName}`,
      description: `Ranks, records and movements of the leaderboard ${name} of ${gameName}.`,
      path: links.leaderboard(titleId, leaderboardId, asked),
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
      content: html`<h1><bdi>${name}</bdi></h1>
        <p class="lead">
          ${gameLink(titleId, gameName)}${top && html` · ${plural(top.total, 'entry', 'entries')}`}${observed(top)}
        </p>
        ${records && html`<p id="record">${recordSentence(records)}</p>`}
        ${section(
          'entries',
          at === undefined ? 'Entries' : html`Entries at the end of ${day(at)}`,
          html`${boardForms({ path, state: { at, around: asked.around, since: asked.since }, today: formatDate(data.now), href })}
          ${await entriesOf({ shown, top, asked, params, data, href })}`,
          html`<a href="${csv}">All entries as CSV</a>`,
        )}
        ${section('ratings', 'Distribution', top === null ? NOT_KNOWN : part(top, ({ entries, total }) => ratingHistogram(entries, total)))}
        ${section('records', 'Record history', history(records))}`,
    };
  },
});

const NOT_KNOWN = empty('This leaderboard was not known on that day');

function observed(board: Board | undefined | null): Html | '' {
  return board?.observed_at === undefined ? '' : html` · read ${time(board.observed_at, 'beside')}`;
}

function history(records: Records | undefined | null): Html {
  return records === null ? empty('This leaderboard is not listed any more') : part(records, recordTable);
}

type Found = Board | undefined | null;

/** The page that was asked for. An unknown player has the first page. */
async function readBoard(params: Params, { at, around, offset: from }: Query, data: PageData) {
  const read = (window: { around?: string | undefined; offset?: number | undefined }): Promise<Found> =>
    data.find(getLeaderboard, params, { limit: ROWS, at, ...window });
  const found = await read({ around, offset: from });
  return found === null && around !== undefined
    ? { board: await read({}), isPlayerKnown: false }
    : { board: found, isPlayerKnown: true };
}

interface EntriesOptions {
  readonly shown: { readonly board: Found; readonly isPlayerKnown: boolean };
  readonly top: Found;
  readonly asked: Query;
  readonly params: Params;
  readonly data: PageData;
  readonly href: (changed: Partial<Query>) => string;
}

async function entriesOf({ shown, top, asked, params, data, href }: EntriesOptions): Promise<Html> {
  const { board, isPlayerKnown } = shown;
  if (board === null) return NOT_KNOWN;
  if (board === undefined) return part(board, () => html``);
  const { around, since } = asked;
  const from = isPlayerKnown && around !== undefined ? offsetOf(board, top) : (asked.offset ?? 0);
  const earlier = since === undefined ? undefined : await earlierBoard(params, { ...asked, since }, from, data);
  return html`${
    !isPlayerKnown &&
    html`<p class="card" role="status">
      No player “<bdi>${around ?? ''}</bdi>” is on this leaderboard${asked.at !== undefined && ' as of that day'}. These
      are its first entries.
    </p>`
  }
  ${since !== undefined && movementHint(since, earlier)} ${boardTable({ board, around, earlier: earlier ?? undefined })}
  ${pager({
    total: board.total,
    limit: ROWS,
    offset: from,
    offsetMax: maximumOf(offset),
    label: 'entries',
    href: (to) => href({ around: undefined, offset: to === 0 ? undefined : to }),
  })}`;
}

/** Of a page around a player: its response has no offset. */
function offsetOf({ entries: [first] }: Board, top: Found): number {
  if (first === undefined) return 0;
  const index =
    top?.entries.findIndex(
      ({ rank, name, rating }) => rank === first.rank && name === first.name && rating === first.rating,
    ) ?? -1;
  return index === -1 ? Number(first.rank) - 1 : index;
}

/** As many entries of the earlier board as one request can list, with the shown rows in the middle. */
async function earlierBoard(
  params: Params,
  { at, since }: { at?: string | undefined; since: MovementPeriod },
  from: number,
  data: PageData,
): Promise<EarlierBoard | undefined | null> {
  const until = at === undefined ? data.now : parseInstant(at);
  const earlier = formatDate(until - PERIOD_DAYS[since] * DAY_SECONDS);
  const start = Math.max(0, from - (ENTRIES_MAX - ROWS) / 2);
  const board = await data.find(getLeaderboard, params, { at: earlier, offset: start, limit: ENTRIES_MAX });
  return board && { day: earlier, board, isWhole: start === 0 && board.total <= ENTRIES_MAX };
}

function movementHint(since: MovementPeriod, earlier: EarlierBoard | undefined | null): Html {
  if (earlier === undefined) return html`<p class="hint">Movements are unavailable at the moment.</p>`;
  if (earlier === null) {
    return html`<p class="hint">This leaderboard was not known ${plural(PERIOD_DAYS[since], 'day')} before.</p>`;
  }
  return html`<p class="hint">
    Compared with the ranks at the end of ${day(earlier.day)}. A rank also moves because others came or went. A dash:
    the earlier rank is not known.
  </p>`;
}
