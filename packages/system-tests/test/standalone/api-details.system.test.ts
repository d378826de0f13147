import { BOARD_PASS_SECONDS } from '@lobbystats/contracts';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { describeApiDetails } from './api-details.contract.ts';
import { expectBoards } from './expect-boards.ts';
import { runSystem, type RunningSystem } from './run-system.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');

let system: RunningSystem;

beforeAll(async () => {
  system = await runSystem({
    clock,
    scope: 'file',
    world: { titles: 40, openMatches: 200, players: 300, boards: 40, entries: 800 },
    env: { BACKFILL_DAYS: '1' },
  });
  const { world } = system.simulator;
  const pass = Math.floor(clock() / 1000) - BOARD_PASS_SECONDS;
  for (const { titleId } of world.titlesAt(pass)) {
    await eventually(() => expectBoards(system.url, world, { titleId, pass }));
  }
});

describeApiDetails('npm start', () => system);
