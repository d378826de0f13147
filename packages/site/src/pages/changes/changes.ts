import {
  changeTypes,
  DAY_SECONDS,
  formatTimestamp,
  isolated,
  oneOf,
  operations,
  type EpochSeconds,
  type GameMetadata,
  type OperationResponse,
} from '@lobbystats/contracts';
import { z } from 'zod';
import { maximumOf } from '../../bounds.ts';
import { html, raw, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type Alternate } from '../../page.ts';
import { changeList } from '../../parts/change-item.ts';
import { choices } from '../../parts/choices.ts';
import { recordsOf, recordsOperations, type Records } from '../../parts/records.ts';
import { rangeTexts, snapshotRanges } from '../../parts/ranges.ts';
import { meantGame, unknownGame } from '../../parts/meant-game.ts';
import { missingText, missingTextOperations } from '../../parts/missing-text.ts';
import { nameInput } from '../../parts/name-input.ts';
import { empty, part, section } from '../../parts/part.ts';
import { plural, time, type Titles } from '../../parts/text.ts';

const { listChanges, getChangesFeed } = operations;

const { game, player, records, cursor, limit } = listChanges.query.shape;

const ROWS = 30;
const RANGES = ['24h', '7d', '30d'] as const;

const query = z.object({
  game,
  player,
  type: oneOf(['all', ...changeTypes]).default('all'),
  records,
  range: oneOf(RANGES).optional(),
  cursor,
});
type Query = z.output<typeof query>;
type ChangePage = OperationResponse<typeof listChanges>;

const TYPE_TEXTS = { all: 'all', new: 'new entries', updated: 'better ratings', removed: 'removed entries' } as const;

export const changes = definePage({
  id: 'getChangesPage',
  path: links.changes(),
  params: z.object({}),
  query,
  asks: [listChanges, ...missingTextOperations, ...recordsOperations],
  view: async ({ query: asked }, data) => {
    const meant = asked.game === undefined ? undefined : meantGame(asked.game, data.titles);
    const titleId = meant?.titleId;
    const filters = filtersOf({ ...asked, game: meant?.candidates.length === 1 ? titleId : asked.game });
    const isUnknown = asked.game !== undefined && titleId === undefined;
    const [found, missing] = await Promise.all([
      isUnknown
        ? null
        : data.find(
            listChanges,
            {},
            {
              ...filters,
              since: sinceOf(asked, data.now),
              game: undefined,
              titleId,
              cursor: asked.cursor,
              limit: ROWS,
            },
          ),
      missingText('leaderboards', data),
    ]);
    const recorded = await recordsOf(found?.changes, data);
    return {
      title: titleOf(asked, found),
      description: 'New records, better ratings, and new and removed entries of all leaderboards, as they are found.',
      path: links.changes({ ...filters, range: asked.range, cursor: asked.cursor }),
      topics: asked.cursor === undefined ? ['changes', 'backfill'] : [],
      alternates: found === null ? [] : alternates(filters),
      content: html`<section aria-labelledby="heading">
          <h1 id="heading">Leaderboard changes</h1>
          <p class="lead">Who took a record, climbed, or is new. A rank that only others have moved is no change.</p>
          ${form(asked)}
        </section>
        ${section('list', asked.records === 'only' ? 'Records' : 'Changes', found === null ? unknown(asked, meant?.candidates) : part(found, (page) => list(page, asked, recorded, missing, data.titles)), found === null ? undefined : feedLink(filters))}`,
    };
  },
});

/** Those of the API. */
function filtersOf({ game: title, player: name, type, records: only }: Query) {
  return { game: title, player: name, type: type === 'all' ? undefined : type, records: only };
}

function sinceOf({ range }: Query, now: EpochSeconds): string | undefined {
  return range && formatTimestamp(now - snapshotRanges[range].days * DAY_SECONDS);
}

function periods(asked: Query): Html {
  const all = [undefined, ...RANGES].map((range) => ({
    text: range === undefined ? 'All' : rangeTexts[range],
    href: links.changes({ ...filtersOf(asked), range }),
    isCurrent: range === asked.range,
  }));
  return choices('Period', all);
}

/** With the game's current name. */
function titleOf({ game: text, player: name }: Query, found: ChangePage | undefined | null): string {
  const [change] = found?.changes ?? [];
  const isNamed = change !== undefined && change.gameName !== '';
  const gameName = text !== undefined && isNamed ? change.gameName : text;
  return ['Leaderboard changes', gameName, name]
    .filter((each) => each !== undefined)
    .map(isolated)
    .join(' · ');
}

function alternates(filters: ReturnType<typeof filtersOf>): Alternate[] {
  return [
    { type: mediaTypes.atom, href: apiPath(getChangesFeed.path, {}, filters), title: 'These changes as Atom' },
    { type: mediaTypes.json, href: apiPath(listChanges.path, {}, filters), title: 'These changes as JSON' },
    {
      type: mediaTypes.csv,
      href: apiPath(listChanges.path, {}, { ...filters, limit: maximumOf(limit), format: 'csv' }),
      title: 'These changes as CSV',
    },
  ];
}

function form({ game: title, player: name, type, records: only, range }: Query): Html {
  const isFiltered = [title, name, only].some((value) => value !== undefined) || type !== 'all';
  return html`<details class="fold" ${isFiltered ? raw(' open') : ''}>
    <summary>Filter</summary>
    <form class="filters" action="${links.changes()}">
      <label>Game ${nameInput({ id: 'game', name: 'game', type: 'game', value: title })}</label>
      <label>Player ${nameInput({ id: 'player', name: 'player', type: 'player', value: name })}</label>
      <label
        >Kind
        <select name="type">
          ${Object.entries(TYPE_TEXTS).map(
            ([value, text]) =>
              html`<option value="${value}" ${value === type ? raw(' selected') : ''}>${text}</option>`,
          )}
        </select></label
      >
      <label class="check"
        ><input type="checkbox" name="records" value="only" ${only === 'only' ? raw(' checked') : ''} /> Records
        only</label
      >
      ${range !== undefined && html`<input type="hidden" name="range" value="${range}" />`}
      <button>Show</button>
      <a href="${links.changes()}">All changes</a>
    </form>
  </details>`;
}

function feedLink(filters: ReturnType<typeof filtersOf>): Html {
  return html`<a href="${apiPath(getChangesFeed.path, {}, filters)}" type="${mediaTypes.atom}">Follow as Atom feed</a>`;
}

/** @param candidates games that the text may mean; undefined: it names a game */
function unknown(asked: Query, candidates: readonly GameMetadata[] | undefined): Html {
  const { game: title, player: name } = asked;
  if (title !== undefined && candidates !== undefined) {
    return unknownGame(title, candidates, (game) =>
      links.changes({ ...filtersOf({ ...asked, game }), range: asked.range }),
    );
  }
  return empty(`No player “${name ?? ''}” is or was on a leaderboard`);
}

function list(
  { changes: rows, total, nextCursor }: ChangePage,
  asked: Query,
  records: Records,
  missing: string | undefined,
  titles: Titles,
): Html {
  const noun = asked.records === 'only' ? 'record' : 'change';
  const [newest] = rows;
  return html`${periods(asked)}
    <p class="hint">
      ${newest && html`${plural(total, noun)}${asked.cursor !== undefined && html`, shown up to ${time(newest.changedAt, 'exact')}`}`}
    </p>
    ${changeList({ titles, changes: rows, records, empty: missing ?? `No ${noun}s` })} ${older(nextCursor, asked)}`;
}

function older(nextCursor: string | null, asked: Query): Html | '' {
  if (nextCursor === null && asked.cursor === undefined) return '';
  const filters = { ...filtersOf(asked), range: asked.range };
  return html`<nav class="pager" aria-label="Pages of changes">
    <ul>
      ${asked.cursor !== undefined && html`<li><a href="${links.changes(filters)}" rel="first">Newest</a></li>`}
      ${nextCursor !== null && html`<li><a href="${links.changes({ ...filters, cursor: nextCursor })}" rel="next">Older</a></li>`}
    </ul>
  </nav>`;
}
