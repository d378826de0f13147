import { metricNames, unknownMetrics } from './metric-names.ts';

describe('metric names of an expression', () => {
  it.each([
    ['up', ['up']],
    ['time() - max(newest_slot) > 540', ['newest_slot']],
    [
      'sum by (le, service) (rate(a_bucket{service="b or c{d}"}[5m])) / on () group_left (x) e:rate5m',
      ['a_bucket', 'e:rate5m'],
    ],
    ['a unless a offset 15m or vector(0) and on () max(b) == 1e3', ['a', 'b']],
    ['{__name__=~"a|b"} > 0', []],
  ])('of %s are %j', (expression, names) => {
    expect(metricNames(expression)).toEqual(names);
  });

  it('are reported when no such metric exists', () => {
    expect(unknownMetrics(['a_bucket', 'b', 'c_count'], new Set(['a', 'c_counts']))).toEqual(['b', 'c_count']);
  });
});
