import { docker } from '@lobbystats/test-kit/docker';
import type { StackStage } from '../stages/stack-stage.ts';

const PERIOD_US = 100_000;

/**
 * Limits the CPU of a service until `mending` is disposed.
 *
 * @param part share of one CPU
 */
export async function limitCpu(
  { compose }: Pick<StackStage, 'compose'>,
  mending: AsyncDisposableStack,
  service: string,
  part: number,
): Promise<void> {
  const containers = (await compose('ps', '-q', service)).split('\n');
  const limit = (quotaUs: number) =>
    docker(['update', '--cpu-period', String(PERIOD_US), '--cpu-quota', String(quotaUs), ...containers]);
  mending.defer(async () => {
    await limit(-1);
  });
  await limit(part * PERIOD_US);
}
