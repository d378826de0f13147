import { listOf, type HtmlSource, type PageDescriptions, type SourcesFile, type Texts } from './source-description.ts';

/** All sentences of these parts, such as "There are no open matches right now". */
function sentences(nouns: readonly string[]): string[] {
  const parts = [
    ['No', 'There are no', 'There are currently no', 'Currently no'],
    ['', ' open', ' active', ' current'],
    nouns.map((noun) => ` ${noun}`),
    ['', ' yet', ' found', ' available', ' right now', ' at the moment'],
  ];
  return parts.reduce((all, part) => all.flatMap((begun) => part.map((next) => begun + next)), ['']);
}

/** The pages that networks of this kind publish, also in the six designs of the simulator. */
const BUILT_IN: PageDescriptions = {
  homepage: {
    counters: { online: 'Users Online Now', registered: 'Registered Users', games: 'Games Supported' },
    games: {
      section: ['', 'Games', 'All games', 'Supported games', 'Games supported', 'Online now', 'Games online'],
      columns: {
        title: ['Game', 'Games', 'Title', 'Titles', 'Game title', 'Game name', 'Title name', 'Name'],
        titleId: ['Serial', 'Code', 'Product code', 'Title ID', 'Game ID', 'ID'],
        publisher: ['Publisher', 'Published by'],
        online: [
          'Online',
          'Online users',
          'Users online',
          'Online now',
          'Users online now',
          'Online players',
          'Players online',
        ],
        activity: ['Activity', 'Active players', 'Active users', 'Active sessions', 'Sessions', 'Current activity'],
      },
      // The cell of the activity must be one: a table of other columns is refused.
      order: ['title', 'titleId', 'online', 'activity'],
      ignoreRows: ['Total', 'Totals', 'Sum'],
    },
    formats: {
      activity: [
        '{players} in {sessions} sessions',
        '{players} in {sessions} session',
        '{players} players in {sessions} sessions',
      ],
      idle: ['', '-', '–', '—', '0', '0 sessions', '0 in 0 sessions'],
    },
  },
  titles: {
    matches: {
      section: [
        '',
        ...['Open', 'Active', 'Current'].flatMap((word) =>
          ['matches', 'sessions', 'lobbies'].map((noun) => `${word} ${noun}`),
        ),
        'Matches',
        'Sessions',
        'Lobbies',
      ],
      columns: {
        host: ['Host', 'Hosted by', 'Host name', 'Session host', 'Host player', 'Host gamertag'],
        players: ['Players', 'Player count', 'Current players', 'Players in session'],
        maxPlayers: ['Max players', 'Maximum players', 'Max', 'Maximum', 'Capacity'],
      },
      none: [
        ...sentences(['matches', 'sessions', 'lobbies', 'games']),
        ...['Nobody', 'No one'].flatMap((who) =>
          ['', ' right now', ' at the moment'].map((when) => `${who} is playing${when}`),
        ),
      ],
    },
    metadata: {
      title: ['Title', 'Full title'],
      publisher: 'Publisher',
      releaseDate: ['Release date', 'Released', 'Released on'],
    },
    boards: 'select#leaderboard-select',
    formats: { players: ['{players} / {max}', '{players} of {max}', '{players} players', '{players}'] },
  },
  leaderboards: {
    entries: {
      columns: {
        rank: ['Rank', '#', 'Pos', 'Position', 'Place'],
        name: ['Name', 'Player', 'Player name', 'Gamertag', 'Gamer tag', 'Username'],
        score: ['Score', 'Rating', 'Kudos', 'Points', 'Best score', 'High score', 'Hi-Score', 'Total score'],
        time: ['Time', 'Lap', 'Best time', 'Best lap', 'Lap time', 'Best lap time', 'Race time', 'Fastest lap'],
      },
      none: sentences(['entries', 'records', 'scores', 'times', 'results']),
    },
    formats: {
      rank: [
        '{rank}',
        '#{rank}',
        '{rank}.',
        '{rank}st',
        '{rank}nd',
        '{rank}rd',
        '{rank}th',
        '={rank}',
        '{rank}=',
        'T{rank}',
      ],
      time: ['{m}:{s}.{f}', '{m}:{s},{f}', '{h}:{m}:{s}.{f}', '{s}.{f}', '{s}.{f}s', '{m}m {s}.{f}s', '{ms} ms'],
    },
    pages: { next: 'a[rel~="next" i]' },
  },
};

const SIZES = ['sm', 'md', 'lg', 'xl'];
const SHOWN = ['block', 'inline', 'flex', 'grid', 'table', 'contents'];
/** Classes that show again what is hidden on small screens. */
const shownWide = (classOf: (size: string, how: string) => string) =>
  SIZES.flatMap((size) => SHOWN.map((how) => `[class*="${classOf(size, how)}"]`)).join(', ');

const HIDDEN = [
  `.hidden:not(${shownWide((size, how) => `${size}:${how}`)})`,
  `.d-none:not(${shownWide((size, how) => `d-${size}-${how}`)})`,
  ...SIZES.map((size) => `.d-${size}-none`),
  ...['.collapse:not(.show, .in)', '.tab-pane:not(.active, .show)', '.modal:not(.show, .in)'],
  ...['.sr-only', '.visually-hidden', '.cdk-visually-hidden'],
  ...['.material-icons', 'mat-icon', '.icon', '.avatar', '[role=tooltip]'],
  ...['td button', 'td a > strong + .badge', '.tag.is-info', '.tag.is-light'],
];

/** The description by which a page is read: what a file says about it, and what is built in for all else. */
export function descriptionOf<Source extends HtmlSource>(
  source: Source,
  file: SourcesFile = {},
): PageDescriptions[Source] {
  const described = file[source];
  const page = typeof described === 'object' && described !== null && 'page' in described ? described.page : {};
  const { formats, ...others } = page as PageDescriptions[Source];
  return {
    ...(merge(BUILT_IN[source], others) as PageDescriptions[Source]),
    // Formats of the file are tried before those that are built in.
    formats: merge(BUILT_IN[source].formats, formats, (builtIn, own) => union(own, builtIn)) as Formats,
    hidden: [...HIDDEN, ...listOf(file.hidden)],
    keep: listOf(file.keep) as string[],
  };
}

type Formats = PageDescriptions[HtmlSource]['formats'];

/** Objects are merged. Of texts and lists, the other one replaces the own one unless `join` makes one of both. */
export function merge(own: unknown, other: unknown, join = (_: unknown, each: unknown): unknown => each): unknown {
  if (other === undefined || other === null || own === undefined || own === null)
    return other === undefined ? own : other;
  if (!isObject(own) || !isObject(other)) return join(own, other);
  const keys = new Set([...Object.keys(own), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(own[key], other[key], join)]));
}

export function union(one: unknown, other: unknown): string[] {
  return [...new Set([one, other].flatMap((each) => listOf(each as Texts)))];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
