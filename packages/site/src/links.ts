import { decodeSegment, encodeSegment } from '@lobbystats/contracts/path-segment';

/** Parameters of a URL; undefined and empty ones are left out. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** Paths of the site's pages, relative to its root. Games are linked by title ID: names change. */
export const links = {
  home: '/',
  homeOf: page('/'),
  live: page('/live'),
  games: page('/games'),
  game: page('/game/:titleId'),
  icon: page('/icon/:titleId'),
  /** A small page for other sites. */
  widget: page('/embed/game/:titleId'),
  /** Takes the absolute URL of the page of a game, and the format. */
  oembed: page('/oembed'),
  leaderboard: page('/game/:titleId/leaderboard/:leaderboardId'),
  player: page('/u/:name'),
  achievements: page('/achievements'),
  achievement: page('/achievement/:achievementId'),
  events: page('/events'),
  event: page('/event/:eventId'),
  changes: page('/changes'),
  network: page('/network'),
  search: page('/search'),
  compare: page('/compare'),
  login: '/login',
  /** `next`: the path to which a signed-in user returns. */
  signIn: page('/login'),
  me: page('/me'),
  following: '/me/following',
  docs: '/docs',
  guide: '/docs/guide',
  openSearch: '/opensearch.xml',
  /** The client of the API as one ES module. */
  client: '/client.mjs',
} as const;

type Segment = string | number;
type Segments<Path extends string> = Path extends `${string}:${string}:${string}`
  ? [Segment, Segment]
  : Path extends `${string}:${string}`
    ? [Segment]
    : [];

/** A link takes the parameters of its path in their order, then a query. */
function page<Path extends string>(path: Path): (...given: [...Segments<Path>, query?: Values]) => string {
  return (...given) => {
    const rest = [...given];
    const filled = path.replace(/:\w+/g, () => encodeSegment(String(rest.shift())));
    return withQuery(filled, rest[0] as Values | undefined);
  };
}

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
export function apiPath(path: string, params: Values, query?: Values): string {
  return withQuery(
    path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(String(params[name]))),
    query,
  );
}

function withQuery(path: string, query: Values = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`).join('&')}`;
}
