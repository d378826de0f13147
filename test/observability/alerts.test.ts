import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alerts, provedAlerts } from './alerts.ts';

const runbooks = readFileSync(join(import.meta.dirname, '../../docs/runbooks.md'), 'utf8');
const sections = [...runbooks.matchAll(/^## (.+)$/gm)].map(([, title]) => String(title));
const names = alerts().map(({ alert }) => alert);

describe('the alerts', () => {
  it('have names of their own', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(alerts())('$alert leads to its section of the runbooks', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    expect(sections).toContain(alert);
  });

  it('are all that the runbooks have sections for', () => {
    expect(sections.filter((section) => !names.includes(section))).toEqual([]);
  });

  it.each(names)('%s is proved to fire, and to keep quiet', (name) => {
    const { fire, keepQuiet } = provedAlerts();
    expect([fire.has(name), keepQuiet.has(name)]).toEqual([true, true]);
  });
});
