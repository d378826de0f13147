import { operations } from '@lobbystats/contracts';
import { xml, xmlDocument, type Xml } from '../feeds/xml.ts';
import { links } from '@lobbystats/site/links';
import { parseResponse, type UpstreamFetcher } from '../upstreams/upstreams.ts';

const { listAchievements, listEvents, listLeaderboards } = operations;

/** Pages without parameters. */
const PAGES = [
  links.home,
  ...[links.live(), links.games(), links.achievements(), links.events(), links.changes(), links.network()],
  ...[links.docs, links.guide],
];

/** Maximum of the protocol, https://www.sitemaps.org/protocol.html */
const ENTRIES_MAX = 50_000;

/** Paths of the sitemaps. They are at the root: a sitemap may list only URLs below its own folder. */
export const sitemapPaths = {
  index: '/sitemap.xml',
  pages: '/sitemap-pages.xml',
  game: '/sitemap-game-:titleId.xml',
} as const;

/** A sitemap for each game, so that a change of one game changes one small file. */
export function sitemapIndex(siteUrl: string, titleIds: readonly string[]): Buffer {
  const paths = [sitemapPaths.pages, ...titleIds.map((titleId) => sitemapPaths.game.replace(':titleId', titleId))];
  const entries = paths.slice(0, ENTRIES_MAX).map((path) => xml`<sitemap><loc>${siteUrl}${path}</loc></sitemap>\n`);
  return xmlDocument(xml`<sitemapindex xmlns="${NAMESPACE}">\n${entries}</sitemapindex>`);
}

/** Pages other than those of games and players. @throws AppError `unavailable` when an upstream fails */
export async function pagesSitemap(siteUrl: string, upstreams: UpstreamFetcher): Promise<Buffer> {
  const [achievements, events] = await Promise.all([
    upstreams.fetch(listAchievements, {}, {}),
    upstreams.fetch(listEvents, {}, {}),
  ]);
  const paths = [
    ...PAGES,
    ...parseResponse(listEvents, events, (all) => all.map(({ id }) => links.event(id))),
    ...parseResponse(listAchievements, achievements, (all) => all.achievements.map(({ id }) => links.achievement(id))),
  ];
  return sitemap(paths.map((path) => siteUrl + path));
}

/** A game and its leaderboards. @throws AppError `not-found`, or `unavailable` when catalog-api fails */
export async function gameSitemap(siteUrl: string, titleId: string, upstreams: UpstreamFetcher): Promise<Buffer> {
  const response = await upstreams.fetch(listLeaderboards, { titleId }, {});
  const boards = parseResponse(listLeaderboards, response, (all) =>
    all.map(({ id }) => siteUrl + links.leaderboard(titleId, id)),
  );
  return sitemap([siteUrl + links.game(titleId), ...boards]);
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function sitemap(locations: readonly string[]): Buffer {
  const entries: Xml[] = locations.slice(0, ENTRIES_MAX).map((location) => xml`<url><loc>${location}</loc></url>\n`);
  return xmlDocument(xml`<urlset xmlns="${NAMESPACE}">\n${entries}</urlset>`);
}
