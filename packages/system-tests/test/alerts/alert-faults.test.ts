import { alerts } from '../observability/alerts.ts';
import { allFaults, faultsFor } from './all-faults.ts';
import { accelerateRules } from './accelerate-rules.ts';

describe('alert faults', () => {
  it('raise each alert exactly once, and no other', () => {
    const proved = allFaults.flat(2).flatMap(({ raises }) => raises);
    expect(proved.toSorted()).toEqual(
      alerts()
        .map(({ alert }) => alert)
        .toSorted(),
    );
  });

  it('are selected by alert name, and an unknown name throws', () => {
    expect(
      faultsFor(['OutboxLag'])
        .flat(2)
        .flatMap(({ raises }) => raises),
    ).toContain('OutboxLag');
    expect(faultsFor(['OutboxLag']).flat(2)).toHaveLength(1);
    expect(() => faultsFor(['Nothing'])).toThrow('There is no alert Nothing');
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
