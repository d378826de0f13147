import { operations, type Change } from '@lobbystats/contracts';
import fc from 'fast-check';
import { observeBoards, times, TITLE } from './board-passes.ts';
import { catalogFixture, type RunningCatalog } from './running-catalog.ts';

const { run } = catalogFixture();

/** Page size, players that join before the first page, and players that join between pages. */
const walks = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  before: fc.integer({ min: 1, max: 12 }),
  between: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }),
});

describe('pages of changes during concurrent writes', () => {
  it('cursor pages contain each earlier change once, in order, and no later ones', async () => {
    const catalog = await run();
    await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
    const board = new GrowingBoard(catalog);
    await board.grow(0);
    await fc.assert(
      fc.asyncProperty(walks, async ({ limit, before, between }) => {
        await board.grow(before);
        const expected = ids(await page(catalog, '?limit=500'));
        const joins = [...between];
        let answer = await page(catalog, `?limit=${limit}`);
        const read = ids(answer);
        while (answer.nextCursor !== null && read.length < 30) {
          await board.grow(joins.shift() ?? 0);
          answer = await page(catalog, `?limit=${limit}&cursor=${answer.nextCursor}`);
          read.push(...ids(answer));
        }
        expect(read).toEqual(expected.slice(0, read.length));
      }),
      { numRuns: 15 },
    );
  });

  it('ascending pages contain each change once while new ones are recorded', async () => {
    const catalog = await run();
    await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
    const board = new GrowingBoard(catalog);
    await board.grow(0);
    const read: number[] = [];
    for (const coming of [3, 0, 1, 5, 2]) {
      await board.grow(coming);
      let answer = await page(catalog, `?limit=2&after=${read.at(-1) ?? 0}`);
      read.push(...ids(answer));
      while (answer.nextCursor !== null) {
        answer = await page(catalog, `?limit=2&cursor=${answer.nextCursor}`);
        read.push(...ids(answer));
      }
    }
    expect(read).toEqual(ids(await page(catalog, '?limit=500')).reverse());
    expect(read).toHaveLength(11);
  });
});

/** A board that players join with each pass. */
class GrowingBoard {
  readonly #catalog: RunningCatalog;
  #players = 0;
  #hour = 0;

  constructor(catalog: RunningCatalog) {
    this.#catalog = catalog;
  }

  async grow(by: number): Promise<void> {
    this.#players += by;
    const rows = Array.from({ length: this.#players }, (_, index) => [`Player ${index}`, 1000 + index] as const);
    await observeBoards(this.#catalog, { hour: this.#hour, entries: times(rows) });
    this.#hour += 1;
  }
}

interface Page {
  changes: Change[];
  nextCursor: string | null;
}

async function page(catalog: RunningCatalog, query: string): Promise<Page> {
  return (await catalog.get(operations.listChanges.path + query)).body as Page;
}

function ids({ changes }: Page): number[] {
  return changes.map(({ id }) => id);
}
