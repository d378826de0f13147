import { SEARCH_PLAYERS_MAX } from '@lobbystats/contracts';
import type { CatalogReader } from '@lobbystats/catalog-api/catalog-reader';
import { searchByPlayers } from '@lobbystats/catalog-api/search-by-players';
import { searchByRanks } from '@lobbystats/catalog-api/search-by-ranks';
import { searchByTime } from '@lobbystats/catalog-api/search-by-time';
import { findNames } from '@lobbystats/catalog-api/find-names';
import { measureMs } from './benchmark.ts';
import { createBoardWorld, currentPass, storeTitles } from './board-world.ts';
import type { CatalogFixture, OpenCatalogFixture } from './catalog-fixtures.ts';
import { noSamples, seedBoards, type Samples } from './seed-boards.ts';

const LIMIT = 100;
const TOLERANCE_MS = 500;

type Search = (round: number) => Promise<string>;

/** Searches in a seeded catalog. Each round searches for something else and returns JSON. */
export interface SearchCatalog {
  readonly place: CatalogFixture;
  readonly byTime: Search;
  /** The same search by the bare driver. */
  readonly byTimeBare: Search;
  /** By 20 names. */
  readonly byPlayers: Search;
  /** By 20 pairs of name and rank; every other round in one title. */
  readonly byRanks: Search;
  /** By the first one to four characters of a player's name. */
  readonly suggestions: Search;
  /** By four characters within a player's name. */
  readonly parts: Search;
  /** By the first characters of a game's and a leaderboard's words. */
  readonly words: Search;
}

/** Seeds a catalog with the boards of the simulated network. */
export async function openSearchCatalog(open: OpenCatalogFixture, say: (line: string) => void): Promise<SearchCatalog> {
  const fixture = await open();
  try {
    const world = createBoardWorld();
    const pass = currentPass();
    const titles = await storeTitles(fixture.store, world, pass);
    let samples = noSamples;
    const ms = await measureMs(async () => {
      samples = await seedBoards(fixture.store.boards, world, pass);
    });
    const megabytes = (await fixture.megabytes()).toFixed(0);
    say(`${fixture.name} has ${samples.entries} entries (${megabytes} MB), seeded in ${(ms / 1000).toFixed(0)} s`);
    return createSearches(fixture, { titles, boards: fixture.store.boards }, samples);
  } catch (error) {
    await fixture.remove();
    throw error;
  }
}

function createSearches(fixture: CatalogFixture, reader: CatalogReader, { times, players }: Samples): SearchCatalog {
  const timeOf = (round: number) => times[(round * 7) % times.length] ?? 0;
  const someOf = (round: number) =>
    Array.from(
      { length: SEARCH_PLAYERS_MAX },
      (_, index) => players[(round * 31 + index * 17) % players.length],
    ).filter((player) => player !== undefined);
  const titleOf = async (round: number) => {
    const { titles } = (await reader.titles.view()).all();
    return titles[(round * 13) % titles.length]?.titleId;
  };
  const asJson = async (answer: Promise<{ body: unknown }>) => JSON.stringify((await answer).body);
  return {
    place: fixture,
    byTime: (round) => asJson(searchByTime(reader, { time: timeOf(round), tolerance: TOLERANCE_MS, limit: LIMIT })),
    byTimeBare: async (round) => JSON.stringify(await fixture.bare(timeOf(round), TOLERANCE_MS, LIMIT)),
    byPlayers: (round) => {
      const names = [...new Set(someOf(round).map(({ playerName }) => playerName))];
      return asJson(searchByPlayers(reader, { names, limit: LIMIT }));
    },
    byRanks: async (round) => {
      const titleId = round % 2 === 0 ? undefined : await titleOf(round);
      return asJson(searchByRanks(reader, { players: someOf(round), titleId }));
    },
    suggestions: (round) => {
      const { playerName = 'a' } = players[(round * 31) % players.length] ?? {};
      return asJson(findNames(reader, { q: playerName.slice(0, 1 + (round % 4)), limit: 10 }));
    },
    parts: (round) => {
      const { playerName = 'aaaaaa' } = players[(round * 31) % players.length] ?? {};
      return asJson(findNames(reader, { q: playerName.slice(2, 6), limit: 10 }));
    },
    words: async (round) => {
      const { titles } = (await reader.titles.view()).all();
      const game = titles[(round * 13) % titles.length];
      const [board] = game === undefined ? [] : await reader.boards.boardsOf(game.titleId);
      const firsts = [game?.name, board?.name].flatMap((name = '') => name.split(' ')).map((word) => word.slice(0, 3));
      return asJson(findNames(reader, { q: firsts.join(' ') || 'a', limit: 10 }));
    },
  };
}
