import { readVersion } from '@lobbystats/service-kit';
import type { CollectorConfig } from '../config.ts';

/** Names the release and how to reach its operator. */
export function userAgentOf({ COLLECTOR_CONTACT }: Pick<CollectorConfig, 'COLLECTOR_CONTACT'>): string {
  return `Lobbystats/${readVersion()} (+${COLLECTOR_CONTACT})`;
}
