import { alerts } from '../observability/alerts.ts';
import { allFaults, faultsFor } from './all-faults.ts';
import { hurried } from './hurried.ts';

describe('the faults that prove alerts', () => {
  it('prove each alert once, and no other', () => {
    const proved = allFaults.flat(2).flatMap(({ raises }) => raises);
    expect(proved.toSorted()).toEqual(
      alerts()
        .map(({ alert }) => alert)
        .toSorted(),
    );
  });

  it('are those that an alert is proved by, where it is named', () => {
    expect(
      faultsFor(['OutboxLag'])
        .flat(2)
        .flatMap(({ raises }) => raises),
    ).toContain('OutboxLag');
    expect(faultsFor(['OutboxLag']).flat(2)).toHaveLength(1);
    expect(() => faultsFor(['Nothing'])).toThrow('There is no alert Nothing');
  });
});

describe('a hurried Prometheus', () => {
  it('looks back and waits for a part of the time, not for less than it needs', () => {
    const rules = `
      expr: rate(a[15m]) > 540 and b[2m] > 3 unless a offset 15m
      for: 5m`;
    expect(hurried(rules, 5)).toBe(`
      expr: rate(a[180s]) > 540 and b[60s] > 3 unless a offset 180s
      for: 60s`);
    expect(hurried('for: 30s', 5)).toBe('for: 10s');
    expect(hurried('scrape_interval: 15s', 5)).toBe('scrape_interval: 5s');
  });
});
