import { ruleFiles } from './alerts.ts';
import { join } from 'node:path';
import { docker } from '@lobbystats/test-kit/docker';

/** The Prometheus configuration that docker-compose.yml mounts. */
const folder = join(import.meta.dirname, '../../../../infra/prometheus');

/** Runs promtool of the Prometheus image on the configuration. @throws Error with its findings */
function promtool(...args: string[]): Promise<string> {
  const image = process.env['PROMETHEUS_IMAGE'] ?? 'prom/prometheus:v3.13.5';
  const mounts = ['-v', `${folder}:/etc/prometheus:ro`, '-w', '/etc/prometheus'];
  return docker(['run', '--rm', '--network', 'none', ...mounts, '--entrypoint', 'promtool', image, ...args]);
}

describe('promtool', () => {
  it('accepts the Prometheus configuration and rules', async () => {
    const output = await promtool('check', 'config', 'prometheus.yml');
    expect(output).toMatch(/is valid prometheus config file syntax/);
    const rules = ruleFiles().map(({ rules: { length } }) => `SUCCESS: ${length} rules found`);
    expect([...output.matchAll(/SUCCESS: \d+ rules found/g)].map(([line]) => line).sort()).toEqual(rules.sort());
  });

  it.each(ruleFiles())('passes the unit tests of the alerts of $name', async ({ name }) => {
    expect(await promtool('test', 'rules', `tests/${name}.test.yml`)).toMatch(/SUCCESS/);
  });
});
