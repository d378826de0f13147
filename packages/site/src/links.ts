import { decodeSegment, encodeSegment } from '@lobbystats/contracts/path-segment';

/** Parameters of a URL; undefined and empty ones are left out. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** Paths of the site's pages, relative to its root. Games are linked by title ID: names change. */
export const links = {
  home: '/',
  homeOf: (query: Values) => withQuery('/', query),
  live: (query: Values = {}) => withQuery('/live', query),
  games: (query: Values = {}) => withQuery('/games', query),
  game: (titleId: string, query: Values = {}) => withQuery(`/game/${encodeSegment(titleId)}`, query),
  icon: (titleId: string) => `/icon/${titleId}`,
  /** A small page for other sites. */
  widget: (titleId: string, query: Values = {}) => withQuery(`/embed/game/${encodeSegment(titleId)}`, query),
  /** @param url absolute, of the page of a game */
  oembed: (url: string, format: string) => withQuery('/oembed', { url, format }),
  leaderboard: (titleId: string, leaderboardId: number | string, query: Values = {}) =>
    withQuery(`/game/${encodeSegment(titleId)}/leaderboard/${leaderboardId}`, query),
  player: (name: string, query: Values = {}) => withQuery(`/u/${encodeSegment(name)}`, query),
  achievements: (query: Values = {}) => withQuery('/achievements', query),
  achievement: (achievementId: number) => `/achievement/${achievementId}`,
  events: (query: Values = {}) => withQuery('/events', query),
  event: (eventId: number | string) => `/event/${eventId}`,
  changes: (query: Values = {}) => withQuery('/changes', query),
  network: (query: Values = {}) => withQuery('/network', query),
  search: (query: Values = {}) => withQuery('/search', query),
  compare: (query: Values = {}) => withQuery('/compare', query),
  login: '/login',
  /** @param next the path to which a signed-in user returns */
  signIn: (next: string) => withQuery('/login', { next }),
  me: (query: Values = {}) => withQuery('/me', query),
  following: '/me/following',
  docs: '/docs',
  guide: '/docs/guide',
  openSearch: '/opensearch.xml',
  /** The client of the API as one ES module. */
  client: '/client.mjs',
} as const;

/** The player that a path of `links.player` leads to; undefined for other paths. */
export function linkedPlayer(pathname: string): string | undefined {
  const [, segment] = /^\/u\/([^/]+)$/.exec(pathname) ?? [];
  return segment === undefined ? undefined : decodeSegment(decodeURIComponent(segment));
}

/** The title ID that a path of `links.game` or `links.leaderboard` names; undefined for other paths. */
export function linkedGame(path: string): string | undefined {
  return /^\/game\/([0-9a-f]{8})(?![^/?#])/.exec(path)?.[1];
}

/** A path with its parameters filled in, encoded. @param path of an operation, such as `/api/title/:titleId` */
export function apiPath(path: string, params: Values, query: Values = {}): string {
  return withQuery(
    path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(String(params[name]))),
    query,
  );
}

/** Makes paths of the site absolute, for readers elsewhere: feeds, sitemaps, link previews. */
export type PageUrls = ReturnType<typeof pageUrls>;

/** @param publicUrl base URL, with or without a path */
export function pageUrls(publicUrl: string) {
  const base = publicUrl.replace(/\/+$/, '');
  return {
    /** @param path begins with a slash */
    of: (path: string) => base + path,
  };
}

function withQuery(path: string, query: Values): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`).join('&')}`;
}
