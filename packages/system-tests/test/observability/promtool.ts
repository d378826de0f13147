import { join } from 'node:path';
import { docker } from '@lobbystats/test-kit/docker';

/** The Prometheus configuration that docker-compose.yml mounts. */
const folder = join(import.meta.dirname, '../../../../infra/prometheus');

/** Runs promtool of the Prometheus image on the configuration. @throws Error with its findings */
export function promtool(...args: string[]): Promise<string> {
  const image = process.env['PROMETHEUS_IMAGE'] ?? 'prom/prometheus:v3.13.5';
  const mounts = ['-v', `${folder}:/etc/prometheus:ro`, '-w', '/etc/prometheus'];
  return docker(['run', '--rm', '--network', 'none', ...mounts, '--entrypoint', 'promtool', image, ...args]);
}
