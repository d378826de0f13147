import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedConsole, RUNBOOKS_CONSOLE } from '../settings/runbooks-console.ts';
import { alerts, testedAlerts } from './alerts.ts';

const runbooks = readFileSync(join(import.meta.dirname, '../../../../docs/runbooks.md'), 'utf8');
const sections = [...runbooks.matchAll(/^## (.+)$/gm)].map(([, title]) => String(title));
const names = alerts().map(({ alert }) => alert);

describe('alerts', () => {
  it('have unique names', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(alerts())('$alert links to its section of the runbooks', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toBe(`{{ $externalURL }}/consoles/runbooks.html#${alert.toLowerCase()}`);
    expect(sections).toContain(alert);
    expect(printedConsole()).toContain(`<b id="${alert.toLowerCase()}">`);
  });

  it('link to a page of Prometheus that has the runbooks (npm run docs:generate)', () => {
    expect(readFileSync(RUNBOOKS_CONSOLE, 'utf8')).toBe(printedConsole());
  });

  it('cover every section of the runbooks', () => {
    expect(sections.filter((section) => !names.includes(section))).toEqual([]);
  });

  it.each(names)('%s has a unit test in which it fires and one in which it does not', (name) => {
    const { fire, keepQuiet } = testedAlerts();
    expect([fire.has(name), keepQuiet.has(name)]).toEqual([true, true]);
  });
});
