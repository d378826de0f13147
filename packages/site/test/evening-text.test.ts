import { eveningText, weekHourOf } from '../src/plots/heat-map-texts.ts';

/** Mondays have 40, 45 and 50 players from 20 h on, Tuesdays hardly any. */
const AVERAGES = Array.from({ length: 168 }, (_, hour) => (hour < 24 ? 20 + 5 * (hour - 16) : 0.2));

describe('text on the coming evening', () => {
  it.each([
    ['2026-11-30T09:00:00Z', 'Tonight 20–23 h UTC: about 45 players'],
    ['2026-11-30T22:59:00Z', 'Tonight 20–23 h UTC: about 45 players'],
    ['2026-11-30T23:00:00Z', 'Tomorrow 20–23 h UTC: hardly anybody'],
    ['2026-12-06T23:30:00Z', 'Tomorrow 20–23 h UTC: about 45 players'],
  ])('at %s: %s', (now, text) => {
    expect(eveningText(AVERAGES, weekHourOf(Date.parse(now)), ' UTC')).toBe(text);
  });

  it('is empty without averages', () => {
    expect(eveningText([], 0, '')).toBe('');
  });
});
