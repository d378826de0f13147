import { OPENAPI_PATH, streamEvents, type OperationResponse, type operations } from '@lobbystats/contracts';
import { imagePaths } from './image-paths.ts';
import { html, type Html } from './html.ts';
import { apiPath, links } from './links.ts';
import type { Alternate, Page, View } from './page.ts';
import { bottomBar, headerLinks } from './navigation.ts';
import { findForm } from './parts/find-form.ts';
import { statusStrips } from './parts/status-strips.ts';

/** The installation, as every page shows it. */
export interface SiteContext {
  readonly siteUrl: string;
  readonly version: string;
  /** Name of the network; `simulated`: its data is made up. */
  readonly network: string;
  readonly assets: Readonly<Record<'style' | 'early' | 'script' | 'widget', string>>;
}

const SITE = 'Lobbystats';

/** A whole document, the same bytes for all readers. */
export function document(
  view: View & Pick<Page, 'style'>,
  site: SiteContext,
  status?: OperationResponse<typeof operations.getStatus>,
): Html {
  const { title, description, isPrivate = false } = view;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${SITE}</title>
        <meta name="description" content="${description}" />
        ${isPrivate ? html`<meta name="robots" content="noindex" />` : previewTags(view, site)}
        <meta name="color-scheme" content="light dark" />
        ${THEME_COLORS}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        ${view.alternates?.map(alternateLink)}
        <link rel="search" type="application/opensearchdescription+xml" href="${links.openSearch}" title="${SITE}" />
        <link rel="stylesheet" href="${site.assets.style}" />
        <script src="${site.assets.early}"></script>
        <script type="module" src="${site.assets.script}"></script>
        ${view.head}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        ${header(view.path)} ${bottomBar(view.path)} ${site.network === 'simulated' ? SIMULATED : undefined}
        ${statusStrips(status)}
        <p id="notice" class="frame note" role="status" hidden></p>
        <main id="main" class="frame" tabindex="-1" data-style="${view.style}" data-stream="${streamUrl(view)}">
          ${view.content}
        </main>
        ${footer(view.alternates ?? [], site)}
      </body>
    </html> `;
}

const SIMULATED = html`<aside class="simulated" aria-label="Notice">
  <p class="frame"><b>Simulated network.</b> Its players, lobbies and counts are made up.</p>
</aside>`;

/** Colors of browsers' own bars: `--page` of `tokens.css`. */
const THEME_COLORS = html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f7f7" />
  <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#12171a" />`;

/** https://ogp.me */
function previewTags({ title, description, path, image = imagePaths.site }: View, { siteUrl }: SiteContext): Html {
  return html`<link rel="canonical" href="${siteUrl}${path}" />
    <meta property="og:site_name" content="${SITE}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${siteUrl}${path}" />
    <meta property="og:image" content="${siteUrl}${image}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

function alternateLink({ type, href, title }: Alternate): Html {
  return html`<link rel="alternate" type="${type}" href="${href}" title="${title}" /> `;
}

function header(path: string): Html {
  return html`<header class="site">
    <div class="frame">
      <a class="wordmark" href="/"><img src="/favicon.svg" alt="" width="22" height="22" /> <span>${SITE}</span></a>
      ${headerLinks(path)} ${FIND_FORM}
      <a class="account" href="${links.login}" data-account>Sign in</a>
    </div>
  </header>`;
}

function footer(alternates: readonly Alternate[], { version, network }: SiteContext): Html {
  return html`<footer class="frame">
    ${
      alternates.length > 0 &&
      html`<nav aria-label="This page as data">
        <p>This page as data:</p>
        <ul>
          ${alternates.map(({ type, href, title }) => html`<li><a href="${href}" type="${type}">${title}</a></li>`)}
        </ul>
      </nav>`
    }
    ${ABOUT_AND_SETTINGS}
    <p>${SITE} ${version} · network: <bdi>${network}</bdi><noscript> · Times are UTC.</noscript></p>
    <p class="to-top"><a href="#main" aria-label="Back to the top">↑</a></p>
  </footer>`;
}

const FIND_FORM = findForm({ id: 'find', isLabelHidden: true, key: '/' });

const ABOUT_AND_SETTINGS = html`<nav aria-label="About">
    <ul>
      <li><a href="${links.search()}">Search</a></li>
      <li><a href="${links.docs}">API</a></li>
      <li><a href="${links.guide}">Guide</a></li>
      <li><a href="${OPENAPI_PATH}">OpenAPI document</a></li>
    </ul>
  </nav>
  <div class="settings js">
    ${setting('Times', 'times', [
      ['local', 'Local'],
      ['utc', 'UTC'],
    ])}
    ${setting('Colors', 'theme', [
      ['system', 'Like the system'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ])}
  </div>`;

/** Buttons that choose among the values of a preference of the reader, which only the browser knows. */
function setting(label: string, name: string, choices: readonly (readonly [value: string, text: string])[]): Html {
  return html`<div role="group" aria-label="${label}">
    <span>${label}</span>
    ${choices.map(([value, text]) => html`<button type="button" data-choice="${name}:${value}">${text}</button>`)}
  </div>`;
}

/** Empty: the page is not live. */
function streamUrl({ topics = [], about = [] }: View): string {
  if (topics.length === 0) return '';
  const names = [...new Set(about)].join(',');
  // The stream takes no name with a comma: then the page follows all events.
  const isNamed = names !== '' && !about.some((name) => name.includes(','));
  const isAccepted = isNamed && streamEvents.query.safeParse({ names }).success;
  return apiPath(
    streamEvents.path,
    {},
    { topics: [...new Set([...topics, 'backfill'])].join(','), names: isAccepted ? names : undefined },
  );
}
