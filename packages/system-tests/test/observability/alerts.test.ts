import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alerts, testedAlerts } from './alerts.ts';

const runbooks = readFileSync(join(import.meta.dirname, '../../../../docs/runbooks.md'), 'utf8');
const sections = [...runbooks.matchAll(/^## (.+)$/gm)].map(([, title]) => String(title));
const names = alerts().map(({ alert }) => alert);

describe('alerts', () => {
  it('have unique names', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(alerts())('$alert links to its section of the runbooks', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    expect(sections).toContain(alert);
  });

  it('cover every section of the runbooks', () => {
    expect(sections.filter((section) => !names.includes(section))).toEqual([]);
  });

  it.each(names)('%s has a unit test in which it fires and one in which it does not', (name) => {
    const { fire, keepQuiet } = testedAlerts();
    expect([fire.has(name), keepQuiet.has(name)]).toEqual([true, true]);
  });
});
