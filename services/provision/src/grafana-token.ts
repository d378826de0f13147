import { existsSync, readFileSync } from 'node:fs';
import { RefusalError } from '@lobbystats/errors';
import { influxBuckets, influxManagement } from '@lobbystats/series-api';
import { analystTokens } from './analyst-token/analyst-tokens.ts';
import { writeToken } from './write-token.ts';

/** Grafana is an analyst: it reads what they read, under this name. */
const NAME = 'grafana';

export interface GrafanaTokenOptions {
  /** InfluxDB's, `http(s)://host:port`. */
  url: string;
  adminToken: string;
  org: string;
  /** Where Grafana finds its token. */
  file: string;
  /** Told what was done, a line each; nothing secret. */
  log: (line: string) => void;
}

/**
 * Writes a token by which Grafana reads the series, and can't write, unless there is one that InfluxDB knows.
 *
 * @throws RefusalError when the server refuses, or lacks the buckets; AppError `unavailable` when it is away
 */
export async function provideGrafanaToken({ file, log, ...influx }: GrafanaTokenOptions): Promise<void> {
  const present = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const tokens = analystTokens(influx);
  const has = (await tokens.list()).some(({ name }) => name === NAME);
  if (has && present !== '' && (await isKnown(influx.url, present))) return;
  if (has) await tokens.revoke(NAME);
  // Its own user reads it: who else gets at the volume is for docker-compose.yml to say.
  writeToken(file, await tokens.make(NAME), 0o444);
  log(`${file}: a token that can read the series was made and written; a Grafana that runs has to be started again`);
}

/** A token that InfluxDB doesn't know is refused. */
async function isKnown(url: string, token: string): Promise<boolean> {
  const client = influxManagement.adminClient({ url, token });
  try {
    return (await influxManagement.bucketOf(client, influxBuckets.snapshots)) !== undefined;
  } catch (error) {
    if (error instanceof RefusalError) return false;
    throw error;
  }
}
