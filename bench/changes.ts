import { changeTypes, type EpochSeconds } from '@lobbystats/contracts';
import type { CatalogReader } from '../services/catalog-api/src/domain/catalog-reader.ts';
import { listChanges } from '../services/catalog-api/src/domain/change-pages.ts';
import type { BoardStore, StoredChange } from '../services/catalog-api/src/domain/board-store.ts';
import { median, roundsOf, type Benchmark, type Finding, timesOf } from './benchmark.ts';
import { boardWorld, presentPass, takeInTitles } from './board-world.ts';
import { catalogPlaces, type CatalogPlace, type OpenPlace } from './catalog-places.ts';

const CHANGES = 50_000;
const TIMES = 10;
const PER_COMMIT = 5000;
const ROUNDS = 200;
const LIMIT = 50;
const GROWTH_BOUND = 1.5;

/** The first page of changes with its exact total, in a log and in one that is ten times as long. */
export const changes: Benchmark = {
  name: 'changes',
  about: `the first page of ${CHANGES} changes and of ${CHANGES * TIMES}, on SQLite and MongoDB`,
  run: async (say) => {
    const findings: Finding[] = [];
    for (const open of catalogPlaces(say)) findings.push(...(await measure(open)));
    return findings;
  },
};

interface Log {
  readonly place: CatalogPlace;
  readonly reader: CatalogReader;
  /** A title with changes. */
  readonly game: string;
  readonly length: number;
}

async function measure(open: OpenPlace): Promise<Finding[]> {
  const stack = new AsyncDisposableStack();
  try {
    const logOf = async (length: number) => {
      const place = await open();
      stack.defer(() => place.remove());
      return fill(place, length);
    };
    const [short, long] = [await logOf(CHANGES), await logOf(CHANGES * TIMES)];
    const findings: Finding[] = [];
    const filters = {
      'of everything': () => ({}),
      'of a type': () => ({ type: 'updated' as const }),
      'of a game': ({ game }: Log) => ({ game }),
      'of a game and a type': ({ game }: Log) => ({ game, type: 'removed' as const }),
    };
    for (const [what, filter] of Object.entries(filters)) {
      const page = (log: Log) => () => firstPage(log, filter(log));
      const [few = [], many = []] = await roundsOf(ROUNDS, page(short), page(long));
      findings.push({
        what: `${short.place.name}, the first page ${what} in ${CHANGES * TIMES} changes`,
        measured: timesOf(many),
        against: `in ${CHANGES} ${timesOf(few)}`,
        ratio: median(many) / median(few),
        bound: GROWTH_BOUND,
      });
    }
    return findings;
  } finally {
    await stack.disposeAsync();
  }
}

async function firstPage({ reader, length }: Log, filter: Omit<Parameters<typeof listChanges>[1], 'limit'>) {
  const { body } = await listChanges(reader, { limit: LIMIT, ...filter });
  const isAll = Object.keys(filter).length === 0;
  if (body.changes.length !== LIMIT || (isAll && body.total !== length))
    throw new Error('The log is not as it was made');
  return JSON.stringify(body);
}

/** As many changes of each title as of any other, and of each type. */
async function fill(place: CatalogPlace, length: number): Promise<Log> {
  const world = boardWorld();
  const pass = presentPass();
  const { boards } = place.store;
  const reader = { titles: await takeInTitles(place.store, world, pass), boards };
  const titleIds = world.titlesAt(pass).map(({ titleId }) => titleId);
  for (let first = 1; first <= length; first += PER_COMMIT) {
    await append(
      boards,
      Array.from({ length: Math.min(PER_COMMIT, length + 1 - first) }, (_, index) => {
        const id = first + index;
        return changeOf(id, titleIds[id % titleIds.length] ?? '', pass);
      }),
    );
  }
  return { place, reader, game: titleIds[1] ?? '', length };
}

async function append(store: BoardStore, some: readonly StoredChange[]): Promise<void> {
  const { revision } = await store.changeLog();
  const last = some.at(-1);
  const log = { revision: revision + 1, lastId: last?.id ?? 0, lastChangedAt: last?.changedAt ?? 0 };
  await store.commit({ expectedRevision: revision, log, boards: [], changes: some, facts: [] });
}

function changeOf(id: number, titleId: string, pass: EpochSeconds): StoredChange {
  return {
    id,
    type: changeTypes[Math.floor(id / 7) % changeTypes.length] ?? 'new',
    titleId,
    leaderboardId: id % 15,
    playerName: `Player ${id % 25_000}`,
    isTime: true,
    oldRank: 2,
    newRank: 1,
    oldRating: '00:49.900',
    newRating: '00:49.300',
    oldTimeMs: 49_900,
    newTimeMs: 49_300,
    changedAt: pass + Math.floor(id / 100),
  };
}
