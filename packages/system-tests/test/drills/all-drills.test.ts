import { alerts } from '../observability/alerts.ts';
import { allDrills } from './all-drills.ts';
import { readCommandLine } from './command-line.ts';
import { accelerateRules } from './stages/accelerate-rules.ts';

describe('drills', () => {
  it('have one number each, and raise every alert once', () => {
    const all = allDrills();
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
    expect(all.flatMap((drill) => (drill.on === 'alerts' ? drill.alerts : [])).toSorted()).toEqual(
      alerts()
        .map(({ alert }) => alert)
        .toSorted(),
    );
  });

  it('are chosen by number, range and alert', () => {
    expect(readCommandLine(['4', '9-11', 'OutboxLag'], allDrills)).toMatchObject({
      drills: [
        { number: 4 },
        { number: 9 },
        { number: 10 },
        { number: 11 },
        { alerts: expect.arrayContaining(['OutboxLag']) },
      ],
    });
    expect(readCommandLine(['Nothing'], allDrills)).toMatchObject({
      kind: 'bad',
      error: expect.stringMatching(/no alert/),
    });
  });
});

describe('accelerated Prometheus rules', () => {
  it('have shorter windows and waits, but not below their minimum', () => {
    const rules = `
      expr: rate(a[15m]) > 540 and b[2m] > 3 unless a offset 15m
      for: 5m`;
    expect(accelerateRules(rules, 5)).toBe(`
      expr: rate(a[180s]) > 540 and b[60s] > 3 unless a offset 180s
      for: 60s`);
    expect(accelerateRules('for: 30s', 5)).toBe('for: 10s');
    expect(accelerateRules('scrape_interval: 15s', 5)).toBe('scrape_interval: 5s');
  });
});
