import { readVersion } from '@lobbystats/service-kit';
import type { CollectorConfig } from '../../config.ts';

/** What the network is told of who asks: which release, and how its operator is reached. */
export function userAgentOf({ COLLECTOR_CONTACT }: Pick<CollectorConfig, 'COLLECTOR_CONTACT'>): string {
  return `Lobbystats/${readVersion()} (+${COLLECTOR_CONTACT})`;
}
