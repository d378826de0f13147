import { html, raw, type Html } from './html.ts';
import { links } from './links.ts';

interface Entry {
  readonly href: string;
  readonly text: string;
  /** Begins the paths of pages that belong to it. */
  readonly prefix?: string;
}

/** Entries of the bar of phones, with their icons as SVG paths. */
const BAR: readonly (Entry & { readonly icon: string })[] = [
  { href: links.home, text: 'Home', icon: 'M4 11.5 12 4l8 7.5M6 10v10h12V10' },
  {
    href: links.live(),
    text: 'Live',
    icon: 'M12 12h.01M8 16a5.7 5.7 0 0 1 0-8m8 8a5.7 5.7 0 0 0 0-8M5 19a10 10 0 0 1 0-14m14 14a10 10 0 0 0 0-14',
  },
  {
    href: links.games(),
    text: 'Games',
    prefix: '/game/',
    icon: 'M7 8h10a5 5 0 0 1 5 5c0 3-1 5-2.5 5S17 15 15.5 15h-7C7 15 6 18 4.5 18S2 16 2 13a5 5 0 0 1 5-5M7 10.5v3M5.5 12h3M16 12h.01',
  },
  { href: links.events(), text: 'Events', prefix: '/event/', icon: 'M4 6h16v14H4zM4 10.5h16M8 3v4m8-4v4' },
];

/** Entries of its panel. */
const MORE: readonly Entry[] = [
  { href: links.achievements(), text: 'Achievements', prefix: '/achievement/' },
  { href: links.changes(), text: 'Changes' },
  { href: links.network(), text: 'Network' },
  { href: links.compare(), text: 'Compare' },
  { href: links.search(), text: 'Search' },
];

/** Home is the wordmark, search a field of its own. */
const HEADER = [BAR[1], BAR[2], MORE[0], BAR[3], MORE[1], MORE[2], MORE[3]].filter((entry) => entry !== undefined);

/** The links of the header, where there is room for them. @param path of the page, with its query */
export function headerLinks(path: string): Html {
  return html`<nav aria-label="Main">
    <ul>
      ${HEADER.map((entry) => html`<li><a href="${entry.href}" ${mark(entry, path)}>${entry.text}</a></li>`)}
    </ul>
  </nav>`;
}

/** The bar at the bottom of phones. Its last place names the current page if the panel has it. */
export function bottomBar(path: string): Html {
  const current = MORE.find((entry) => isCurrent(entry, path));
  return html`<nav class="bar" aria-label="Main">
    <ul>
      ${BAR.map(
        (entry) =>
          html`<li>
            <a href="${entry.href}" ${mark(entry, path)}>${picture(entry.icon)}<span>${entry.text}</span></a>
          </li>`,
      )}
      <li>
        <button type="button" popovertarget="more" ${current && raw(' aria-current="true"')}>
          ${MORE_PICTURE}<span>${current?.text ?? 'More'}</span>
        </button>
        <ul id="more" popover>
          ${MORE.map((entry) => html`<li><a href="${entry.href}" ${mark(entry, path)}>${entry.text}</a></li>`)}
        </ul>
      </li>
    </ul>
  </nav>`;
}

function isCurrent({ href, prefix }: Entry, path: string): boolean {
  const [current = ''] = path.split('?', 1);
  return current === href || (prefix !== undefined && current.startsWith(prefix));
}

function mark(entry: Entry, path: string): Html | '' {
  if (!isCurrent(entry, path)) return '';
  return raw(path.split('?', 1)[0] === entry.href ? ' aria-current="page"' : ' aria-current="true"');
}

function picture(path: string): Html {
  return html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="${path}" /></svg>`;
}

const MORE_PICTURE = picture('M5 12h.01M12 12h.01M19 12h.01');
