import { createSimulator, DESIGN_COUNT } from '@lobbystats/simulator';
import { readBoardPage, readGamePage, readHomepage } from './read-pages.ts';
import { SLOT } from './running-collector.ts';

const WORLD = { titles: 12, openMatches: 20, boards: 24, entries: 2400, players: 500, clock: () => SLOT * 1000 };

/** The readings of all pages of one network in a design. */
async function readAll(design: number): Promise<Record<string, unknown>> {
  const simulator = createSimulator({ ...WORLD, design });
  const { url } = await simulator.start();
  const fetchPage = async (path: string) => (await fetch(`${url}${path}`)).text();
  const readings: Record<string, unknown> = { home: readHomepage(await fetchPage('/')) };
  for (const { titleId } of simulator.world.titlesAt(SLOT)) {
    readings[titleId] = readGamePage(await fetchPage(`/games/${titleId}`));
  }
  for (const { titleId, id } of simulator.world.boardKeysAt(SLOT)) {
    const path = `/games/${titleId}/leaderboards/${id}`;
    readings[path] = readBoardPage(await fetchPage(path));
  }
  await simulator.stop();
  return readings;
}

describe('a site in another design', () => {
  let classic: Record<string, unknown>;
  beforeAll(async () => {
    classic = await readAll(0);
  });

  it.each(Array.from({ length: DESIGN_COUNT }, (_, index) => index + 1))(
    'has the same readings of all pages: design %d',
    async (design) => {
      expect(Object.keys(classic).length).toBeGreaterThan(30);
      expect(await readAll(design)).toEqual(classic);
    },
  );
});
