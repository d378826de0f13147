import fc from 'fast-check';

/** Markup variations that a parser must not depend on. */
export interface Style {
  /** Between groups of three digits. */
  separator: string;
  /** Whether tables have a header. */
  header: boolean;
  /** Attributes of the tags, used cyclically. */
  attributes: readonly string[];
  /** White space around texts. */
  space: string;
  /** Whether optional closing tags are omitted. */
  terse: boolean;
  icons: boolean;
  /** Whether rows have an inline SVG icon with self-closing elements. */
  inlineIcons: boolean;
}

interface ListedTitle {
  titleId: string;
  name: string;
  publisher: string;
  online: number;
  sessions: number;
  players: number;
}

export interface Listing {
  registered: number;
  online: number;
  titles: ListedTitle[];
}

interface ListedMatch {
  host: string;
  players: number;
  maxPlayers: number;
}

export interface Game {
  title: string;
  publisher: string;
  matches: ListedMatch[];
}

const plain: Style = {
  separator: ',',
  header: true,
  attributes: [''],
  space: '',
  terse: false,
  icons: true,
  inlineIcons: false,
};

/** A homepage with this listing, in that style. */
export function homepageHtml({ registered, online, titles }: Listing, style: Style = plain): string {
  const { open, text, number, end } = writer(style);
  const counter = (count: number, label: string) =>
    `${open('div')}${open('h3')}${text(number(count))}</h3>${open('p')}${text(label)}${end('p')}</div>`;
  const cell = (content: string) => `${open('td')}${style.space}${content}${style.space}${end('td')}`;
  const row = ({ titleId, name, publisher, online: users, sessions, players }: ListedTitle) =>
    open('tr') +
    (style.icons ? cell(`<img src="/icons/${titleId}.svg" alt="">`) : '') +
    cell(
      `${style.inlineIcons ? ICON : ''}<a href="/games/${titleId}">${escaped(name)}</a>${publisher === '' ? '' : `<br>${escaped(publisher)}`}`,
    ) +
    cell(`MS-074<br><span>${titleId.toUpperCase()}</span>`) +
    cell(number(users)) +
    cell(sessions === 0 ? '-' : `${number(players)} in ${number(sessions)} session${sessions === 1 ? '' : 's'}`) +
    end('tr');
  const columns = [...(style.icons ? [''] : []), 'Title', 'Serial', 'Online', 'Activity'];
  const header = style.header
    ? `${open('tr')}${columns.map((name) => `<th>${name}${end('th')}`).join('')}${end('tr')}`
    : '';
  return page(
    counter(registered, 'Registered Users') +
      counter(titles.length, 'Games Supported') +
      counter(online, 'Users Online Now') +
      `${open('table')}${header}${titles.map(row).join('\n')}</table>`,
  );
}

/** A game page with this content, in that style. */
export function gamePageHtml({ title, publisher, matches }: Game, style: Style = plain): string {
  const { open, number, end } = writer(style);
  const row = ({ host, players, maxPlayers }: ListedMatch) =>
    `${open('tr')}${open('td')}${style.space}${escaped(host)}${end('td')}` +
    `${open('td')}${maxPlayers === 0 ? number(players) : `${number(players)}/${number(maxPlayers)}`}${end('td')}${end('tr')}`;
  const header = style.header ? `${open('tr')}<th>Host${end('th')}<th>Players${end('th')}${end('tr')}` : '';
  return page(
    `<ul><li><strong>Title:</strong> ${escaped(title)}${end('li')}` +
      (publisher === '' ? '' : `<li><strong>Publisher:</strong> ${escaped(publisher)}${end('li')}`) +
      `<li><strong>Release date:</strong> 15 November 2001${end('li')}</ul>` +
      `<table class="table table-striped">${header}${matches.length === 0 ? NOBODY : matches.map(row).join('\n')}</table>` +
      `<select id="leaderboard-select"><option value="1">Time</option></select>` +
      `<table><tr><th>Region<th>Relays<tr><td>Europe<td>3/4</table>`,
  );
}

const NOBODY = '<tr><td colspan="2">Nobody is playing right now.</td></tr>';

const ICON = '<svg viewBox="0 0 9 9"><path d="M0 0h9"/><circle r="4"/><rect width="9" height="9" /></svg>';

export function page(content: string): string {
  return `<!DOCTYPE html><html><head><title>Network</title><script>"<h3>0</h3><p>Users Online Now</p>"</script></head>
<body><!-- <h3>0</h3><p>Users Online Now</p> --><main>${content}</main></body></html>\n`;
}

function writer({ separator, attributes, space, terse }: Style) {
  let tags = 0;
  return {
    open: (name: string): string => {
      const attribute = attributes[tags % attributes.length] ?? '';
      tags += 1;
      return `<${name}${attribute === '' ? '' : ` ${attribute}`}>`;
    },
    end: (name: string) => (terse ? '' : `</${name}>`),
    text: (text: string) => `${space}${text}${space}`,
    number: (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, separator),
  };
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const count = fc.oneof(fc.nat(9), fc.nat(12_345), fc.nat(12_345_678));
const awkward = [
  'Salt & Sabre',
  '__proto__',
  'constructor',
  'Either/Or',
  'Frost <Zero>',
  '4d530064',
  '1942',
  '-',
  '%2F',
];

/** Characters that no page shows, the one for bytes that were not decoded, the colons of labels, and the end of a cut name. */
export const UNSEEN =
  /[\u00AD\u200B\u200E\u200F\u2060\uFEFF\uFFFD\uE000-\uF8FF]|^[:：]|[|,;·•/]\s.*[:：]|(?:…|\.\.\.)$/;

/** Non-empty visible texts with collapsed white space. */
const visibleText = fc
  .oneof(fc.constantFrom(...awkward), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }))
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '' && !UNSEEN.test(text));

const anyStyle: fc.Arbitrary<Style> = fc.record({
  separator: fc.constantFrom('', ',', '.', ' ', '\u00a0', '\u202f', "'"),
  header: fc.boolean(),
  attributes: fc.array(
    fc.constantFrom('', 'class="table-hover x"', "class='text-right'", 'data-v-1f', 'width=40', 'style="color: red"'),
    { minLength: 1, maxLength: 7 },
  ),
  space: fc.constantFrom('', ' ', '\n    ', '&nbsp;'),
  terse: fc.boolean(),
  icons: fc.boolean(),
  inlineIcons: fc.boolean(),
});

/** Tables without headings have their columns in the order that is known. */
export const style = anyStyle.map((any): Style => ({ ...any, icons: any.icons && any.header }));

const listedTitle = fc
  .record({
    titleId: fc.stringMatching(/^[0-9a-f]{8}$/),
    name: visibleText,
    publisher: fc.oneof(fc.constant(''), fc.constantFrom('Ubisoft', 'Bungie & Co.')),
    online: count,
    sessions: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2000 })),
    players: fc.nat(20_000),
  })
  .map(({ sessions: some, players: more, online, ...title }) => {
    const sessions = Math.min(some, online);
    return { ...title, online, sessions, players: sessions === 0 ? 0 : Math.min(sessions + more, online) };
  });

/** Values that agree with each other: no game has more users than the site, and no session is without players. */
export const listing: fc.Arbitrary<Listing> = fc
  .record({
    registered: count,
    online: count,
    titles: fc.uniqueArray(listedTitle, { minLength: 1, maxLength: 8, selector: ({ titleId }) => titleId }),
  })
  .map(({ registered, online: others, titles }) => {
    const online = others + Math.max(...titles.map((title) => title.online));
    return { registered: registered + online, online, titles };
  });

export const game: fc.Arbitrary<Game> = fc.record({
  title: visibleText,
  publisher: fc.oneof(fc.constant(''), fc.constantFrom('Ubisoft', 'Bungie & Co.')),
  matches: fc.array(
    fc
      .record({ host: visibleText, players: fc.nat(5000), more: fc.option(fc.nat(5000)) })
      .map(({ more, ...match }) => ({ ...match, maxPlayers: more === null ? 0 : match.players + more })),
    { maxLength: 6 },
  ),
});
