import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSimulator } from '@lobbystats/simulator';

interface Group {
  titleId: string | null;
  displayName: string;
}

it('every game with achievements exists on the simulated network under the same name', () => {
  const file = readFileSync(join(import.meta.dirname, '../../../../infra/achievements.json'), 'utf8');
  const { groups } = JSON.parse(file) as { groups: Group[] };
  const titles = createSimulator().world.titlesAt(Math.floor(Date.now() / 1000));
  const names = new Map(titles.map(({ titleId, name }) => [titleId, name]));
  const ofGames = groups.filter(({ titleId }) => titleId !== null);
  expect(ofGames.length).toBeGreaterThan(5);
  expect(ofGames.map(({ titleId }) => names.get(String(titleId)))).toEqual(
    ofGames.map(({ displayName }) => displayName),
  );
});
