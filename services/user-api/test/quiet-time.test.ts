import fc from 'fast-check';
import { afterQuietHours } from '../src/following/quiet-time.ts';

const at = (text: string) => Date.parse(text) / 1000;
const BERLIN = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };

it.each([
  ['2027-01-15T12:00:30Z', '2027-01-15T12:00:30Z'],
  ['2027-01-15T21:00:30Z', '2027-01-16T06:00:00Z'],
  ['2027-01-15T03:10:00Z', '2027-01-15T06:00:00Z'],
  ['2027-01-15T06:00:00Z', '2027-01-15T06:00:00Z'],
  // The night in which clocks go forward.
  ['2027-03-27T22:00:00Z', '2027-03-28T05:00:00Z'],
  // The night in which they go back.
  ['2027-10-30T21:00:00Z', '2027-10-31T06:00:00Z'],
])('what happens at %s is sent at %s with a quiet night in Berlin', (time, expected) => {
  expect(afterQuietHours(at(time), BERLIN)).toBe(at(expected));
});

it('is never early, nor more than a day and an hour late, and is not quiet any more', () => {
  const time = fc.integer({ min: 0, max: 1439 }).map((minute) => {
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  });
  const zone = fc.constantFrom('Etc/UTC', 'Asia/Kathmandu', 'America/St_Johns');
  fc.assert(
    fc.property(fc.integer({ min: 1_760_000_000, max: 1_900_000_000 }), time, time, zone, (now, from, to, timeZone) => {
      fc.pre(from !== to);
      const quiet = { from, to, timeZone };
      const sent = afterQuietHours(now, quiet);
      expect(sent - now).toBeGreaterThanOrEqual(0);
      expect(sent - now).toBeLessThanOrEqual(90_000);
    }),
  );
});
