import { DAY_SECONDS, formatDate, operations, parseInstant } from '@lobbystats/contracts';
import type { z } from 'zod';
import { maximumOf } from '../../bounds.ts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import type { BoardState, MovementPeriod } from './board-forms.ts';
import { boardTable, type Board, type EarlierBoard } from './board-table.ts';
import { pager } from '../../parts/pager.ts';
import { empty, UNAVAILABLE } from '../../parts/part.ts';
import { day, plural } from '../../parts/text.ts';

const { getLeaderboard } = operations;

const ROWS = 50;
/** Five above and five below a player: all in sight. */
const ROWS_AROUND = 11;
const { limit, offset } = getLeaderboard.query.shape;
export const ENTRIES_MAX = maximumOf(limit);
const OFFSET_MAX = maximumOf(offset);
const PERIOD_DAYS: Readonly<Record<MovementPeriod, number>> = { '1d': 1, '7d': 7 };

/** Shown where a leaderboard is not known on a day. */
export const NOT_KNOWN = empty('This leaderboard was not known on that day');

type Params = z.output<typeof getLeaderboard.params>;
type Query = BoardState & { readonly offset?: number | undefined };

type Found = Board | undefined | null;

export interface BoardPage {
  readonly board: Found;
  readonly isPlayerKnown: boolean;
}

/** The rows that were asked for; those of the first page for an unknown player. */
export async function readBoard(
  params: Params,
  { at, around, offset: from }: Query,
  data: PageData,
): Promise<BoardPage> {
  const read = (window: { around?: string | undefined; offset?: number | undefined }): Promise<Found> =>
    data.find(getLeaderboard, params, {
      limit: window.around === undefined ? ROWS : ROWS_AROUND,
      at,
      dates: 'with',
      ...window,
    });
  const found = await read({ around, offset: from });
  return found === null && around !== undefined
    ? { board: await read({}), isPlayerKnown: false }
    : { board: found, isPlayerKnown: true };
}

export interface BoardEntries {
  readonly found: BoardPage;
  /** The first entries of the board. */
  readonly top: Found;
  readonly asked: Query;
  readonly params: Params;
  readonly data: PageData;
}

export async function boardEntries({ found, top, asked, params, data }: BoardEntries): Promise<Html> {
  const { board, isPlayerKnown } = found;
  const { titleId, leaderboardId } = params;
  if (board === null) return NOT_KNOWN;
  if (board === undefined) return UNAVAILABLE;
  const { around, since } = asked;
  const isAround = isPlayerKnown && around !== undefined;
  const from = isAround ? offsetOf(board, top) : (asked.offset ?? 0);
  const href = (to: number) =>
    links.leaderboard(titleId, leaderboardId, { ...asked, around: undefined, offset: to === 0 ? undefined : to });
  const pages = pager({ total: board.total, limit: ROWS, offset: from, offsetMax: OFFSET_MAX, label: 'entries', href });
  const earlier = since === undefined ? undefined : await earlierBoard(params, { ...asked, since }, from, data);
  return html`${
    !isPlayerKnown &&
    html`<p class="card" role="status">
      No player “<bdi>${around ?? ''}</bdi>” is on this leaderboard${asked.at !== undefined && ' as of that day'}. These
      are its first entries.
    </p>`
  }
  ${since !== undefined && movementHint(since, earlier)}
  ${boardTable({ board, around, earlier: earlier ?? undefined, top: top?.entries ?? [] })}
  ${isAround ? html`<p class="more"><a href="${href(from - (from % ROWS))}">All entries from here</a></p>` : pages}`;
}

/** The offset of a page around a player: its response has none. */
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
    Compared with the ranks at the end of ${day(earlier.day)} (UTC). A rank also moves because others came or went. A
    dash: the earlier rank is not known.
  </p>`;
}
