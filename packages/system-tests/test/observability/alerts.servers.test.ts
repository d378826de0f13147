import { ruleFiles } from './alerts.ts';
import { promtool } from './promtool.ts';

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
