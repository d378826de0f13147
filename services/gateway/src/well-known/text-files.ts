import { formatInstant, DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { links } from '@lobbystats/site/links';
import { sitemapPaths } from './sitemaps.ts';

/** Crawlers read pages and images. The API, and pages with free parameters or of one person's session, are left out. */
export function robotsText(siteUrl: string): string {
  return [
    'User-agent: *',
    ...['/api/', `${links.compare()}?`, `${links.login}?`, `${links.me()}$`, `${links.search()}?`].map(
      (path) => `Disallow: ${path}`,
    ),
    '',
    `Sitemap: ${siteUrl}${sitemapPaths.index}`,
    '',
  ].join('\n');
}

/** RFC 9116 recommends less than a year. */
const EXPIRY_DAYS = 180;

/** RFC 9116. @param contact a URI, such as `mailto:` */
export function securityText(siteUrl: string, contact: string, now: EpochSeconds): string {
  // Whole days: the bytes change once a day, and are equal at all gateways.
  const today = Math.floor(now / DAY_SECONDS);
  return [
    `Contact: ${contact}`,
    `Expires: ${formatInstant((today + EXPIRY_DAYS) * DAY_SECONDS)}`,
    'Preferred-Languages: en',
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/** https://www.w3.org/TR/appmanifest/ */
export function webManifest(): string {
  return JSON.stringify({
    name: 'Lobbystats',
    short_name: 'Lobbystats',
    description: 'Who plays what on the network now: games, leaderboards, players and events',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#12171a',
    theme_color: '#0f5f73',
    lang: 'en',
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      ...ICON_SIZES.map((size) => ({ src: iconPath(size), type: 'image/png', sizes: `${size}x${size}` })),
    ],
  });
}

/** In pixels: what browsers require of an app that can be installed. */
export const ICON_SIZES = [192, 512] as const;

export function iconPath(size: number): string {
  return `/icon-${size}.png`;
}
