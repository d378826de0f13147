import { percentOf, percentOfPoints } from '../../src/operator/backup/progress.ts';

describe('progress', () => {
  it.each([
    [0, 0, '0 %'],
    [1, 3, '33 %'],
    [3, 3, '100 %'],
    // The whole is an estimate.
    [4, 3, '100 %'],
  ])('%i of %i is %s', (done, total, text) => {
    expect(percentOf(done, total)).toBe(text);
  });

  it('counts the fields of points', () => {
    const total = { 'site.online': 6, 'site.missing': 6, 'title.players': 8 };
    expect(percentOfPoints({ 'site.online': 5 }, total)).toBe('25 %');
  });
});
