import { operations, parseInstant, formatInstant, isolated, type Change } from '@lobbystats/contracts';
import { apiPath, links, type PageUrls } from '../site/links.ts';
import { displayName } from '../titles/game-names.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { parseResponse, type Composition, type UpstreamResponse, type Values } from '../upstreams/upstreams.ts';
import { changeTitle, changeSummary } from './change-text.ts';
import { xml, xmlDocument, type Xml } from './xml.ts';

const { listChanges, listTitleChanges, getChangesFeed, getTitleChangesFeed } = operations;

/** The changes as Atom, by the filters of the JSON list. */
export function changesFeed(urls: PageUrls, directory: TitleDirectory): Composition {
  return async ({ query }, upstreams) => {
    const response = await upstreams.fetch(listChanges, {}, query);
    const { limit: _, cursor, ...filters } = query;
    return atomResponse(response, {
      ...{ urls, directory },
      about: [query['game'], query['player'], query['type'], recordsText(query)],
      feed: (at) => urls.of(apiPath(getChangesFeed.path, {}, { ...withoutDefault(query), cursor: at })),
      cursor,
      json: urls.of(apiPath(listChanges.path, {}, withoutDefault(query))),
      page: urls.of(links.changes(filters)),
    });
  };
}

export function titleChangesFeed(urls: PageUrls, directory: TitleDirectory): Composition {
  return async ({ params, query }, upstreams) => {
    const response = await upstreams.fetch(listTitleChanges, params, query);
    const titleId = String(params['titleId']);
    const urlOf = ({ path }: { path: string }) => urls.of(apiPath(path, params, withoutDefault(query)));
    return atomResponse(response, {
      ...{ urls, directory },
      about: [displayName((id) => directory.find(id), titleId), query['type'], recordsText(query)],
      feed: (at) => urls.of(apiPath(getTitleChangesFeed.path, params, { ...withoutDefault(query), cursor: at })),
      cursor: query['cursor'],
      json: urlOf(listTitleChanges),
      page: urls.of(links.changes({ game: titleId, type: query['type'], records: query['records'] })),
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
  readonly urls: PageUrls;
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
  const { body, next } = parseResponse(listChanges, response, ({ changes, nextCursor }) => {
    const url = nextCursor === null ? undefined : description.feed(nextCursor);
    return { body: xmlDocument(atomFeed(changes, description, url)), next: url };
  });
  return { body, lastModified: response.lastModified, link: next && `<${next}>; rel="next"` };
}

/**
 * RFC 4287, in pages by RFC 5005, section 3. Ids are tag URIs (RFC 4151): an entry has the same one in all feeds.
 *
 * @param next URL of the next page
 */
function atomFeed(
  changes: readonly Change[],
  { urls, directory, about, feed, cursor, json, page }: FeedDescription,
  next: string | undefined,
): Xml {
  const filters = about
    .filter((filter) => filter !== undefined)
    .map((filter) => isolated(String(filter)))
    .join(', ');
  const [newest] = changes;
  return xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${feed()}</id>
<title>Lobbystats: leaderboard changes${filters !== '' && ` (${filters})`}</title>
<updated>${newest === undefined ? NEVER : instantOf(newest)}</updated>
<author><name>Lobbystats</name><uri>${urls.of(links.home)}</uri></author>
<icon>${urls.of('/favicon.ico')}</icon>
<link rel="self" type="application/atom+xml" href="${feed(cursor)}"/>
${next !== undefined && xml`<link rel="next" type="application/atom+xml" href="${next}"/>`}
<link rel="alternate" type="text/html" href="${page}"/>
<link rel="alternate" type="application/json" href="${json}"/>
${changes.map((change) => atomEntry(change, urls, directory))}</feed>`;
}

/** A feed must have an instant. */
const NEVER = '1970-01-01T00:00:00Z';

function atomEntry(change: Change, urls: PageUrls, directory: TitleDirectory): Xml {
  const { id, type, titleId, gameName, leaderboardId, playerName } = change;
  const instant = instantOf(change);
  const hasPage = directory.isLoaded() && directory.find(titleId) !== undefined;
  return xml`<entry>
<id>${tagUri(urls, `change/${id}`)}</id>
<title>${changeTitle(change)}</title>
<published>${instant}</published>
<updated>${instant}</updated>
${hasPage && xml`<link rel="alternate" type="text/html" href="${urls.of(links.leaderboard(titleId, leaderboardId))}"/>`}
<link rel="related" type="text/html" href="${urls.of(links.player(playerName))}"/>
<category term="${type}"/>
<category term="${titleId}" label="${gameName}"/>
<content type="text">${changeSummary(change)}</content>
</entry>
`;
}

function instantOf({ changedAt }: Change): string {
  return formatInstant(parseInstant(changedAt));
}

/** The year in which the site had its address belongs to the syntax; it never changes. */
function tagUri(urls: PageUrls, specific: string): string {
  const { hostname } = new URL(urls.of(links.home));
  return `tag:${hostname.replace(/[[\]]/g, '')},2026:${specific}`;
}
