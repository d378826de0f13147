import { ComposeProject, simulatorService } from '@lobbystats/test-kit/compose-project';
import { stackStage, type StackStage } from '../drills/stages/stack-stage.ts';
import type { SoakOptions } from './soak-options.ts';
import type { WorldOptions } from './soak-world.ts';

/** Ten times the default rate limit of all collectors. */
const PAGES_PER_SECOND = '200';

/** Starts a stack with a larger network and more collectors and gateways. Closing the stage removes it. */
export async function openSoakStack(options: SoakOptions, world: WorldOptions): Promise<StackStage> {
  const project = await ComposeProject.create('lobbystats-soak', {
    ...{ COLLECTOR_MAX_RPS: PAGES_PER_SECOND, LOBBYSTATS_TAG: process.env['LOBBYSTATS_TAG'] ?? 'local' },
    ...{
      BACKFILL_DAYS: '1',
      BACKFILL_REGISTERED_DAYS: '1',
      BACKFILL_LEADERBOARD_DAYS: '0',
      BACKFILL_PLAY_TIME_DAYS: '1',
    },
  });
  project.changeServices(simulatorService({ ...world }));
  try {
    await project.up('--build', '--scale', `collector=${options.collectors}`, '--scale', `gateway=${options.gateways}`);
    return await stackStage(project.arguments, () => project.remove());
  } catch (error) {
    await project.remove();
    throw error;
  }
}
