import { operations, isolated, type Change } from '@lobbystats/contracts';
import { changeTitle, changeSummary } from '@lobbystats/site';
import { apiPath, links } from '@lobbystats/site/links';
import { displayName } from '../titles/game-names.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { parseResponse, type Composition, type UpstreamResponse, type Values } from '../upstreams/upstreams.ts';
import { atomDocument, tagUri, type AtomEntry } from './atom.ts';

const { listChanges, listTitleChanges, getChangesFeed, getTitleChangesFeed } = operations;

/** The changes as Atom, by the filters of the JSON list. */
export function changesFeed(siteUrl: string, directory: TitleDirectory): Composition {
  return async ({ query }, upstreams) => {
    const response = await upstreams.fetch(listChanges, {}, query);
    const { limit: _, cursor, titleId, ...filters } = query;
    return atomResponse(response, {
      ...{ siteUrl, directory },
      about: [
        titleId === undefined ? undefined : displayName((id) => directory.find(id), String(titleId)),
        query['player'],
        query['type'],
        recordsText(query),
      ],
      feed: (at) => siteUrl + apiPath(getChangesFeed.path, {}, { ...withoutDefault(query), cursor: at }),
      cursor,
      json: siteUrl + apiPath(listChanges.path, {}, withoutDefault(query)),
      page: siteUrl + links.changes({ ...filters, game: titleId }),
    });
  };
}

export function titleChangesFeed(siteUrl: string, directory: TitleDirectory): Composition {
  return async ({ params, query }, upstreams) => {
    const response = await upstreams.fetch(listTitleChanges, params, query);
    const titleId = String(params['titleId']);
    const urlOf = ({ path }: { path: string }) => siteUrl + apiPath(path, params, withoutDefault(query));
    return atomResponse(response, {
      ...{ siteUrl, directory },
      about: [displayName((id) => directory.find(id), titleId), query['type'], recordsText(query)],
      feed: (at) => siteUrl + apiPath(getTitleChangesFeed.path, params, { ...withoutDefault(query), cursor: at }),
      cursor: query['cursor'],
      json: urlOf(listTitleChanges),
      page: siteUrl + links.changes({ game: titleId, type: query['type'], records: query['records'] }),
    });
  };
}

function recordsText({ records }: Values): Values[string] {
  return records === undefined ? undefined : 'records';
}

/** A feed has one URL, and with it one id, whether or not the default was given. */
function withoutDefault({ limit, ...query }: Values): Values {
  return limit === DEFAULT_LIMIT ? query : { ...query, limit };
}

const DEFAULT_LIMIT = String(getChangesFeed.query.parse({}).limit);

interface FeedDescription {
  readonly siteUrl: string;
  /** Games that have pages. */
  readonly directory: TitleDirectory;
  /** Filters that are part of the title. */
  readonly about: readonly Values[string][];
  /** URL of the feed's page that begins at a cursor; undefined: of the first. */
  readonly feed: (cursor?: Values[string]) => string;
  readonly cursor: Values[string];
  /** URLs of the same as JSON, and of the page that shows it. */
  readonly json: string;
  readonly page: string;
}

function atomResponse(response: UpstreamResponse, description: FeedDescription): UpstreamResponse {
  const { siteUrl, directory, about, feed, cursor, json, page } = description;
  const filters = about
    .filter((filter) => filter !== undefined)
    .map((filter) => isolated(String(filter)))
    .join(', ');
  const { body, next } = parseResponse(listChanges, response, ({ changes, nextCursor }) => {
    const url = nextCursor === null ? undefined : feed(nextCursor);
    const document = atomDocument({
      ...{ siteUrl, id: feed(), title: `Lobbystats: leaderboard changes${filters && ` (${filters})`}` },
      ...{ self: feed(cursor), next: url, alternates: { 'text/html': page, 'application/json': json } },
      entries: changes.map((change) => entryOf(change, siteUrl, directory)),
    });
    return { body: document, next: url };
  });
  return { body, lastModified: response.lastModified, link: next && `<${next}>; rel="next"` };
}

function entryOf(change: Change, siteUrl: string, directory: TitleDirectory): AtomEntry {
  const { id, type, titleId, gameName, leaderboardId, playerName, changedAt } = change;
  const hasPage = directory.known(titleId) !== undefined;
  return {
    ...{ id: tagUri(siteUrl, `change/${id}`), title: changeTitle(change), at: changedAt, text: changeSummary(change) },
    links: {
      alternate: hasPage ? siteUrl + links.leaderboard(titleId, leaderboardId) : undefined,
      related: siteUrl + links.player(playerName),
    },
    categories: [[type], [titleId, gameName]],
  };
}
