import fc from 'fast-check';
import { decodeHtml } from '../src/network/decode-html.ts';
import { readBoardPage } from '../src/pages/read-board-page.parse.ts';
import { readGamePage } from '../src/pages/read-game-page.parse.ts';
import { readHomepage } from '../src/pages/read-homepage.parse.ts';
import {
  clearMarkups,
  designedPage,
  escaped,
  render,
  tableHtml,
  unclearMarkups,
  type Markups,
} from './page-designs.ts';
import { countersHtml } from './counter-designs.ts';
import { agrees, unlessRefused } from './reading-agreement.ts';
import { rankText, written } from './written-numbers.ts';

const numRuns = 75;

const WORDS = [
  'Amber',
  'Rally',
  'Étoile',
  'Harbor',
  'Six',
  '2',
  'of',
  'Mist',
  'Ö',
  '名',
  "O'Neil",
  'A&B',
  '1942',
  'x<y',
];
const name = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 5 });
const count = fc.oneof(fc.nat(9), fc.nat(999), fc.nat(1_234_567));
const counts = fc.array(count, { minLength: 5, maxLength: 5 });

interface Values {
  names: string[];
  counts: number[];
}
const values: fc.Arbitrary<Values> = fc.record({ names, counts });

interface Case {
  html: string;
  read: (html: string) => unknown;
  expected: unknown;
}

function homepage({ names: titles, counts: numbers }: Values, markups: Markups): Case {
  const online = titles.map((_, index) => numbers[index] ?? 0);
  const total = online.reduce((sum, each) => sum + each, 5);
  const ids = titles.map((_, index) => `4d53000${index}`);
  const publisherOf = (index: number) => (index % 2 === 0 ? 'Quillon Studios' : '');
  const table = tableHtml(
    [
      {
        words: ['Game', 'Title', 'Name', 'Game title'],
        kind: 'text',
        values: titles.map((each, index) => {
          const own = render(titleMarkup(markups), escaped(each), 'PRO');
          return publisherOf(index) === '' ? own : `${own}<br><small class="text-muted">${publisherOf(index)}</small>`;
        }),
      },
      {
        words: ['Serial', 'Code', 'Title ID', 'ID'],
        kind: 'text',
        values: ids.map((id) => `MS-074<br><small>${id.toUpperCase()}</small>`),
      },
      {
        words: ['Online', 'Users', 'Online users', 'Users Online', 'Players online', 'Online Now'],
        kind: 'number',
        values: online.map((each) => written(each, markups)),
      },
      {
        words: ['Activity', 'Active Players', 'Sessions'],
        kind: 'text',
        values: online.map((each, index) =>
          index % 2 === 1 || each === 0 ? '-' : `${written(each, markups)} in 1 session`,
        ),
      },
    ],
    markups,
  );
  const counters = countersHtml(
    [
      ['Registered Users', written(total + 1000, markups)],
      ['Games Supported', String(titles.length)],
      ['Users Online Now', written(total, markups)],
    ],
    markups.counters,
  );
  return {
    html: designedPage(counters + table),
    read: (html) => {
      const { registered, online: users, titles: all, skippedRows } = readHomepage(html, 'https://network.example/');
      const shown = all.map(({ titleId, name: title, publisher, online: each, activity }) => ({
        titleId,
        title,
        publisher,
        online: each,
        activity,
      }));
      return { registered, users, shown, skippedRows };
    },
    expected: {
      registered: total + 1000,
      users: total,
      shown: titles.map((title, index) => ({
        titleId: ids[index],
        title,
        publisher: publisherOf(index),
        online: online[index],
        activity:
          index % 2 === 1 || online[index] === 0
            ? { sessions: 0, players: 0 }
            : { sessions: 1, players: online[index] },
      })),
      skippedRows: 0,
    },
  };
}

/** Below a name stands the publisher: two equal lines are no unclear name. */
function titleMarkup({ name: markup }: Markups): string {
  return markup.startsWith('<div>V</div><div') ? 'N\uFFFD' : markup;
}

function gamePage({ names: hosts, counts: numbers }: Values, markups: Markups): Case {
  const players = hosts.map((_, index) => (numbers[index] ?? 0) % 1000);
  const { of } = markups;
  const shown = (each: number) =>
    of === '' ? written(each, markups) : `${written(each, markups)}${of}${written(each + 2, markups)}`;
  const maximum = {
    words: ['Max Players', 'Capacity', 'Maximum', 'Max'],
    kind: 'text' as const,
    values: players.map((each) => written(each + 2, markups)),
  };
  const table = tableHtml(
    [
      { words: ['Host', 'Gamertag', 'Hosted by', 'Host Name'], kind: 'name', values: hosts.map(escaped) },
      { words: ['Players', 'Player count', 'Current players'], kind: 'number', values: players.map(shown) },
      ...(of === '' ? [maximum] : []),
      { words: ['Open Slots', 'Free', 'Open', 'Region'], kind: 'text', values: players.map(() => '2') },
    ],
    markups,
  );
  return {
    html: designedPage(`<ul><li>Title: Amber Rally<li>Publisher: Quillon</ul>${table}`),
    read: (html) => readGamePage(html),
    expected: {
      matches: hosts.map((host, index) => ({ host, players: players[index], maxPlayers: (players[index] ?? 0) + 2 })),
      metadata: { title: 'Amber Rally', publisher: 'Quillon', releaseDate: '' },
      boards: null,
    },
  };
}

function boardPage({ names: players, counts: scores }: Values, markups: Markups): Case {
  const ratings = players.map((_, index) =>
    written(scores[index] ?? 0, { ...markups, separator: markups.separator.replace('&thinsp;', ' ') }),
  );
  const table = tableHtml(
    [
      {
        words: ['Rank', '#', 'Pos.', 'Position'],
        kind: 'text',
        values: players.map((_, index) => rankText(index + 1, markups.rank)),
      },
      { words: ['Name', 'Player', 'Gamertag', 'Player name'], kind: 'name', values: players.map(escaped) },
      {
        words: ['Score', 'Kudos', 'Points', 'Hi-Score', 'Best Score', 'Wins', 'Level'],
        kind: 'number',
        values: ratings.map(escaped),
      },
      {
        words: ['Kudos Rank', 'Car', 'Date', 'Races Completed'],
        kind: 'text',
        values: players.map((_, index) => String(index + 40)),
      },
    ],
    markups,
  );
  return {
    html: designedPage(table),
    read: (html) => readBoardPage(html),
    expected: {
      isTime: false,
      rows: players.map((player, index) => ({
        rank: index + 1,
        name: player,
        rating: ratings[index]?.replace(/\s/g, ' '),
        timeMs: 0,
      })),
      hasNext: false,
    },
  };
}

const PAGES = { homepage, 'game page': gamePage, leaderboard: boardPage };

describe.each(Object.entries(PAGES))('a %s in any markup', (_, pageOf) => {
  it('is read as it is shown', () => {
    fc.assert(
      fc.property(values, clearMarkups, (shown, markups) => {
        const { html, read, expected } = pageOf(shown, markups);
        expect(unlessRefused(() => read(html))).toEqual(expected);
      }),
      { numRuns },
    );
  });

  it('is read as it is shown or refused when a value is unclear', () => {
    fc.assert(
      fc.property(values, unclearMarkups, (shown, markups) => {
        const { html, read, expected } = pageOf(shown, markups);
        const reading = unlessRefused(() => read(html));
        const isRight = reading === 'refused' || agrees(reading, expected);
        expect(isRight ? expected : reading).toEqual(expected);
      }),
      { numRuns },
    );
  });

  it('is read or refused in any charset, declared or not', () => {
    const charset = fc.constantFrom('utf-8', 'latin1', 'utf16le');
    fc.assert(
      fc.property(values, clearMarkups, charset, fc.option(charset), (shown, markups, encoding, declared) => {
        const { html, read, expected } = pageOf(shown, markups);
        const meta = html.replace('charset="utf-8"', encoding === 'utf16le' ? 'name=x' : `charset="${encoding}"`);
        const bytes = Buffer.from(meta, encoding);
        const decoded = bytes.toString(encoding) === meta ? expected : undefined;
        const reading = unlessRefused(() => read(decodeHtml(bytes, declared ?? undefined)));
        const isRight = reading === 'refused' || decoded === undefined;
        expect(isRight ? expected : reading).toEqual(expected);
      }),
      { numRuns },
    );
  });
});
