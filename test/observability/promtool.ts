import { join } from 'node:path';
import { docker } from '../stack/docker.ts';

/** What Prometheus is given, as docker-compose.yml mounts it. */
const folder = join(import.meta.dirname, '../../infra/prometheus');

/** Runs promtool, as it comes with Prometheus, on the project's configuration. @throws Error with what it found wrong */
export function promtool(...args: string[]): Promise<string> {
  const image = process.env['PROMETHEUS_IMAGE'] ?? 'prom/prometheus:v3.5.0';
  const mounts = ['-v', `${folder}:/etc/prometheus:ro`, '-w', '/etc/prometheus'];
  return docker(['run', '--rm', '--network', 'none', ...mounts, '--entrypoint', 'promtool', image, ...args]);
}
