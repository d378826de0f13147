import { ruleFiles } from './alerts.ts';
import { promtool } from './promtool.ts';

describe('promtool', () => {
  it('finds nothing wrong with what Prometheus is given', async () => {
    const said = await promtool('check', 'config', 'prometheus.yml');
    expect(said).toMatch(/is valid prometheus config file syntax/);
    const rules = ruleFiles().map(({ rules: { length } }) => `SUCCESS: ${length} rules found`);
    expect([...said.matchAll(/SUCCESS: \d+ rules found/g)].map(([line]) => line).sort()).toEqual(rules.sort());
  });

  it.each(ruleFiles())('sees the alerts of $name fire when they must, and only then', async ({ name }) => {
    expect(await promtool('test', 'rules', `tests/${name}.test.yml`)).toMatch(/SUCCESS/);
  });
});
