import { ComposeProject } from '@lobbystats/test-kit/compose-project';
import { startStack } from './start-stack.ts';
import { withStack } from './with-stack.ts';

// Runs the suites of the clustered servers on a stack of docker-compose.cluster.yml. CLUSTER_DRILL=long injects more and longer faults.
const PAST = {
  BACKFILL_DAYS: '1',
  BACKFILL_LEADERBOARD_DAYS: '1',
  BACKFILL_PLAY_TIME_DAYS: '1',
  BACKFILL_REGISTERED_DAYS: '2',
};

await withStack({
  script: 'npm run test:cluster',
  config: 'packages/test-kit/jest/jest.compose.config.js',
  suites: '/(cluster|influx-pair)[.]compose[.]',
  create: () => ComposeProject.create('lobbystats-cluster', PAST, ['docker-compose.cluster.yml']),
  start: (project) => startStack(project, PAST),
});
