import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { influxBuckets, influxManagement } from '@lobbystats/series-api/admin';
import { analystTokens, type AnalystTokensOptions } from './analyst-token/analyst-tokens.ts';

const NAME = 'grafana';

export interface GrafanaTokenOptions extends AnalystTokensOptions {
  file: string;
  log: (line: string) => void;
}

/**
 * Creates a read-only token for Grafana, unless a valid one exists.
 *
 * @throws StartupError when the server refuses, or lacks the buckets; AppError `unavailable` when it is unreachable
 */
export async function ensureGrafanaToken({ file, log, ...influx }: GrafanaTokenOptions): Promise<void> {
  const present = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const tokens = analystTokens(influx);
  const exists = (await tokens.list()).some(({ name }) => name === NAME);
  if (exists && present !== '' && (await influxManagement.isKnownToken(influx.url, present, influxBuckets.snapshots)))
    return;
  if (exists) await tokens.revoke(NAME);
  // docker-compose.yml limits who can read the volume.
  writeToken(file, await tokens.create(NAME), 0o444);
  log(`${file}: created a read-only token; restart Grafana if it is running`);
}

/** Writes atomically. `mode` is the file mode. */
export function writeToken(file: string, token: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true });
  // An interrupted run may have left it.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, token, { mode });
  renameSync(`${file}.new`, file);
}
