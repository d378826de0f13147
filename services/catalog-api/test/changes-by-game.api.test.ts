import { operations, type Change } from '@lobbystats/contracts';
import { observeBoards, times, TITLE } from './board-passes.ts';
import { runCatalog, type RunningCatalog } from './running-catalog.ts';

const NAMED_LIKE_IT = '4d530065';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' }, [NAMED_LIKE_IT]: { name: TITLE.toUpperCase() } });
  for (const titleId of [TITLE, NAMED_LIKE_IT]) {
    const slower = { titleId, entries: times([['Pike', 50_000]]) };
    await observeBoards(catalog, slower, { titleId, hour: 1, entries: times([['Pike', 49_000]]) });
  }
});
afterAll(() => catalog.stop());

describe('changes of a game whose name equals the ID of another title', () => {
  it.each([TITLE, TITLE.toUpperCase(), NAMED_LIKE_IT])(
    'finds changes of the game with an ID as its name by ?game=%s',
    async (game) => {
      expect(await titlesOf(`?game=${game}`)).toEqual([NAMED_LIKE_IT]);
    },
  );

  it('finds changes of the other title by its own name', async () => {
    expect(await titlesOf('?game=harbor%20racing')).toEqual([TITLE]);
  });
});

describe('changes with an empty game parameter', () => {
  it.each(['?game=', '?game', ''])('returns changes of all games for the query "%s"', async (query) => {
    expect((await titlesOf(query)).toSorted()).toEqual([TITLE, NAMED_LIKE_IT]);
  });
});

async function titlesOf(query: string): Promise<string[]> {
  const { status, body } = await catalog.get(operations.listChanges.path + query);
  expect(status).toBe(200);
  return (body as { changes: Change[] }).changes.map(({ titleId }) => titleId);
}
