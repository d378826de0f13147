import { BOARD, HOUR, TITLE, type BoardStore } from './stored-boards.ts';

const page = { offset: 3, limit: 50 };

/** Every read of a board store in each of its variants, by name. */
export const boardReads: Readonly<Record<string, (store: BoardStore) => Promise<unknown>>> = {
  changeLog: (store) => store.changeLog(),
  states: (store) => store.states([BOARD]),
  state: (store) => store.state(BOARD),
  boardsOf: (store) => store.boardsOf(TITLE),
  entries: (store) => store.entries(BOARD, page),
  positionOf: (store) => store.positionOf(BOARD, 'p1'),
  versionAt: (store) => store.versionAt(BOARD, '2027-03-01'),
  versions: (store) => Array.fromAsync(store.versions(BOARD, { since: '2027-01-01', limit: 9 })),
  lastContent: (store) => store.lastContent(BOARD),
  'changes, newest first': (store) => store.changes({}, page),
  'changes behind a cursor': (store) => store.changes({}, { ...page, before: 400 }),
  'changes after an id': (store) => store.changes({}, { ...page, after: 400 }),
  'changes of a title': (store) => store.changes({ titleId: TITLE }, page),
  'changes of a type': (store) => store.changes({ type: 'new' }, page),
  'changes of a title and type': (store) => store.changes({ titleId: TITLE, type: 'new' }, page),
  'changes that are records': (store) => store.changes({ first: 'records' }, page),
  'changes of a title and type that are records': (store) =>
    store.changes({ titleId: TITLE, type: 'new', first: 'all' }, page),
  'countChanges of records': (store) => store.countChanges({ first: 'records' }),
  'changes since': (store) => store.changes({ since: HOUR + 9 }, page),
  'changes of a title since, behind a cursor': (store) =>
    store.changes({ titleId: TITLE, since: HOUR + 9 }, { ...page, before: 400 }),
  'changes of a type since, after an id': (store) =>
    store.changes({ type: 'new', since: HOUR + 9 }, { ...page, after: 40 }),
  'changes of a title and type since': (store) => store.changes({ titleId: TITLE, type: 'new', since: HOUR + 9 }, page),
  'changes of a player': (store) => store.changes({ playerKey: 'ember fox' }, page),
  'changes of a player, title and type since': (store) =>
    store.changes({ playerKey: 'ember fox', titleId: TITLE, type: 'new', since: HOUR + 9 }, page),
  'changes of leaderboards of a title since': (store) =>
    store.changes({ titleId: TITLE, leaderboardIds: [1, 2], since: HOUR + 9 }, page),
  'players and their changes on a board': (store) => store.changesOnBoard(BOARD, ['ember fox', 'owl']),
  'countChanges of a player': (store) => store.countChanges({ playerKey: 'ember fox' }),
  'countChanges of all': (store) => store.countChanges({}),
  'countChanges of a title': (store) => store.countChanges({ titleId: TITLE }),
  'countChanges of a type': (store) => store.countChanges({ type: 'new' }),
  'countChanges since': (store) => store.countChanges({ since: HOUR + 9 }),
  'countChanges of a title since': (store) => store.countChanges({ titleId: TITLE, since: HOUR + 9 }),
  'countChanges of a type since': (store) => store.countChanges({ type: 'new', since: HOUR + 9 }),
  'countChanges of a title and type after an id': (store) => store.countChanges({ titleId: TITLE, type: 'new' }, 5),
  changedTitles: (store) => store.changedTitles(),
  nearTime: (store) => store.nearTime({ timeMs: 5000, tolerance: 5000, limit: 10 }),
  'nearTime in a title': (store) => store.nearTime({ timeMs: 5000, tolerance: 5000, limit: 10, titleId: TITLE }),
  countNearTime: (store) => store.countNearTime({ timeMs: 5000, tolerance: 5000, titleIds: [TITLE, 'ffffffff'] }),
  ofPlayers: (store) => store.ofPlayers({ keys: ['p1', 'p2'], limit: 10 }),
  'ofPlayers in a title': (store) => store.ofPlayers({ keys: ['p1', 'p2'], titleId: TITLE, limit: 5 }),
  timesOfPlayers: (store) =>
    store
      .timesOfPlayers({ keys: ['p1', 'p2'] })
      [Symbol.asyncIterator]()
      .next(),
  'timesOfPlayers in a title': (store) => Array.fromAsync(store.timesOfPlayers({ keys: ['p1'], titleId: TITLE })),
  atRanks: (store) => store.atRanks({ pairs: [{ key: 'p1', rank: 2 }] }),
  namesWithWord: (store) => store.namesWithWord('p', 10),
  namesWithPart: (store) => store.namesWithPart('p', 10),
  boardCounts: (store) => store.boardCounts(['p1', 'p2']),
  entryCounts: (store) => store.entryCounts([TITLE]),
  'atRanks in a title': (store) => store.atRanks({ pairs: [{ key: 'p1', rank: 2 }], titleId: TITLE }),
};
