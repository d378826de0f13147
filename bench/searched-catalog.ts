import { SEARCH_PLAYERS_MAX } from '@lobbystats/contracts';
import type { CatalogReader } from '../services/catalog-api/src/domain/catalog-reader.ts';
import { searchByPlayers } from '../services/catalog-api/src/domain/search-by-players.ts';
import { searchByRanks } from '../services/catalog-api/src/domain/search-by-ranks.ts';
import { searchByTime } from '../services/catalog-api/src/domain/search-by-time.ts';
import { millisecondsOf } from './benchmark.ts';
import { boardWorld, presentPass, takeInTitles } from './board-world.ts';
import type { CatalogPlace, OpenPlace } from './catalog-places.ts';
import { fillBoards, type Samples } from './filled-boards.ts';

const LIMIT = 100;
const TOLERANCE_MS = 500;

type Ask = (round: number) => Promise<string>;

/** A filled catalog, as it is searched: each round asks for something else, and gives the answer as JSON. */
export interface SearchedCatalog {
  readonly place: CatalogPlace;
  readonly byTime: Ask;
  /** The same by the driver alone. */
  readonly byTimeBare: Ask;
  /** Of 20 names. */
  readonly byPlayers: Ask;
  /** Of 20 pairs of a name and a rank; every other one in a title. */
  readonly byRanks: Ask;
}

/** Fills a place with the simulated network's boards. */
export async function openSearched(open: OpenPlace, say: (line: string) => void): Promise<SearchedCatalog> {
  const place = await open();
  try {
    const world = boardWorld();
    const pass = presentPass();
    const titles = await takeInTitles(place.store, world, pass);
    let samples: Samples = { entries: 0, times: [], players: [] };
    const ms = await millisecondsOf(async () => {
      samples = await fillBoards(place.store.boards, world, pass);
    });
    const megabytes = (await place.megabytes()).toFixed(0);
    say(`${place.name} has ${samples.entries} entries (${megabytes} MB), put in within ${(ms / 1000).toFixed(0)} s`);
    return searched(place, { titles, boards: place.store.boards }, samples);
  } catch (error) {
    await place.remove();
    throw error;
  }
}

function searched(place: CatalogPlace, reader: CatalogReader, { times, players }: Samples): SearchedCatalog {
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
    place,
    byTime: (round) => asJson(searchByTime(reader, { time: timeOf(round), tolerance: TOLERANCE_MS, limit: LIMIT })),
    byTimeBare: async (round) => JSON.stringify(await place.bare(timeOf(round), TOLERANCE_MS, LIMIT)),
    byPlayers: (round) => {
      const names = [...new Set(someOf(round).map(({ playerName }) => playerName))];
      return asJson(searchByPlayers(reader, { names, limit: LIMIT }));
    },
    byRanks: async (round) => {
      const titleId = round % 2 === 0 ? undefined : await titleOf(round);
      return asJson(searchByRanks(reader, { players: someOf(round), titleId }));
    },
  };
}
