import { parseInstant } from '@lobbystats/contracts';
import { readExamples } from '@lobbystats/contracts/openapi';
import { createSimulator } from '@lobbystats/simulator';

const examples = readExamples();

/** The values of a parameter in all examples. */
function valuesOf(name: string): string[] {
  const found = [...examples.values()].flatMap(({ params, query }) => params[name] ?? query[name] ?? []);
  return [...new Set(found)];
}

/** A system knows what its network has: events pass, so that of the examples is the exception. */
it.each(['2026-06-15T06:00:00Z', '2027-02-01T18:00:00Z', '2028-11-30T12:00:00Z'])(
  'the examples of the OpenAPI document name what the simulated network has at %s',
  (time) => {
    const { world, accounts } = createSimulator();
    const at = parseInstant(time);
    const titles = world.titlesAt(at);
    const titleIds = [...valuesOf('titleId'), ...valuesOf('titleIds').flatMap((ids) => ids.split(','))];
    expect(titles.map(({ titleId }) => titleId)).toEqual(expect.arrayContaining(titleIds));
    expect(titles.map(({ name }) => name)).toEqual(expect.arrayContaining(valuesOf('game')));
    expect(accounts.map(({ username }) => username)).toEqual(expect.arrayContaining(valuesOf('username')));
    const { titleId = '', leaderboardId = '' } = { ...examples.get('getLeaderboard')?.params };
    const entries = world.board(at, titleId, Number(leaderboardId))?.entries ?? [];
    expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(valuesOf('player')));
  },
);
