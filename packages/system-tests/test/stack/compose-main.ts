import { ComposeProject } from '@lobbystats/test-kit/compose-project';
import { startStack } from './start-stack.ts';
import { withStack } from './with-stack.ts';

// Runs the suites on the stack of docker compose, with a short backfill. Suites that need a longer one recreate the stack.
const PAST = {
  BACKFILL_DAYS: '3',
  BACKFILL_LEADERBOARD_DAYS: '3',
  BACKFILL_PLAY_TIME_DAYS: '2',
  BACKFILL_REGISTERED_DAYS: '10',
};
/** Suites that run only when named, because they take minutes; `npm run test:cluster` runs those of the cluster. */
const BY_NAME = '/(cluster|influx-pair|rolling-restart|standstill|upgrade)[.]';

await withStack({
  script: 'npm run test:compose',
  config: 'packages/test-kit/jest/jest.compose.config.js',
  defaultArgs: ['--testPathIgnorePatterns', '/node_modules/', BY_NAME],
  create: () => ComposeProject.create('lobbystats-stack', PAST),
  start: (project) => startStack(project, PAST),
});
