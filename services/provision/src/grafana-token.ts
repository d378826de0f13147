import { existsSync, readFileSync } from 'node:fs';
import { RefusalError } from '@lobbystats/errors';
import { influxBuckets, influxManagement } from '@lobbystats/series-api';
import { analystTokens } from './analyst-token/analyst-tokens.ts';
import { writeToken } from './write-token.ts';

const NAME = 'grafana';

export interface GrafanaTokenOptions {
  url: string;
  adminToken: string;
  org: string;
  file: string;
  log: (line: string) => void;
}

/**
 * Creates a read-only token for Grafana, unless a valid one exists.
 *
 * @throws RefusalError when the server refuses, or lacks the buckets; AppError `unavailable` when it is away
 */
export async function provideGrafanaToken({ file, log, ...influx }: GrafanaTokenOptions): Promise<void> {
  const present = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const tokens = analystTokens(influx);
  const has = (await tokens.list()).some(({ name }) => name === NAME);
  if (has && present !== '' && (await isKnown(influx.url, present))) return;
  if (has) await tokens.revoke(NAME);
  // docker-compose.yml limits who can read the volume.
  writeToken(file, await tokens.make(NAME), 0o444);
  log(`${file}: a token that can read the series was made and written; a Grafana that runs has to be started again`);
}

async function isKnown(url: string, token: string): Promise<boolean> {
  const client = influxManagement.adminClient({ url, token });
  try {
    return (await influxManagement.bucketOf(client, influxBuckets.snapshots)) !== undefined;
  } catch (error) {
    if (error instanceof RefusalError) return false;
    throw error;
  }
}
