import type { QuietHours } from '@lobbystats/contracts';
import fc from 'fast-check';
import { afterQuietHours } from '../src/following/quiet-time.ts';

const at = (text: string) => Date.parse(text) / 1000;
const night = (timeZone: string, from = '22:00', to = '07:00') => ({ from, to, timeZone });

it.each([
  ['by day', 'Europe/Berlin', '2027-01-15T12:00:30Z', '2027-01-15T12:00:30Z'],
  ['before midnight', 'Europe/Berlin', '2027-01-15T21:00:30Z', '2027-01-16T06:00:00Z'],
  ['after midnight', 'Europe/Berlin', '2027-01-15T03:10:00Z', '2027-01-15T06:00:00Z'],
  ['when the night ends', 'Europe/Berlin', '2027-01-15T06:00:00Z', '2027-01-15T06:00:00Z'],
  ['in the night in which clocks go forward', 'Europe/Berlin', '2027-03-27T22:00:00Z', '2027-03-28T05:00:00Z'],
  ['in the night in which they go back', 'Europe/Berlin', '2027-10-30T21:00:00Z', '2027-10-31T06:00:00Z'],
  ['before clocks go back', 'Pacific/Auckland', '2027-04-03T10:00:00Z', '2027-04-03T19:00:00Z'],
  ['before clocks go forward', 'Pacific/Auckland', '2027-09-25T11:00:00Z', '2027-09-25T18:00:00Z'],
  ['after clocks went forward', 'Pacific/Auckland', '2027-09-25T15:00:00Z', '2027-09-25T18:00:00Z'],
  ['before clocks go forward', 'America/St_Johns', '2027-03-14T01:30:00Z', '2027-03-14T09:30:00Z'],
  ['before clocks go back', 'America/St_Johns', '2027-11-07T00:30:00Z', '2027-11-07T10:30:00Z'],
  [
    'in a night whose clocks change by half an hour',
    'Australia/Lord_Howe',
    '2027-04-03T12:00:00Z',
    '2027-04-03T20:30:00Z',
  ],
])('what happens %s in %s, at %s, is sent at %s', (_, timeZone, time, expected) => {
  expect(afterQuietHours(at(time), night(timeZone))).toBe(at(expected));
});

it.each([
  ['an hour that clocks skip', 'Europe/Berlin', '22:00', '02:30', '2027-03-27T22:00:00Z', '2027-03-28T01:00:00Z'],
  ['a midnight that clocks skip', 'America/Santiago', '21:00', '00:00', '2027-09-05T02:30:00Z', '2027-09-05T04:00:00Z'],
  ['an hour that clocks repeat', 'Europe/Berlin', '22:00', '02:30', '2027-10-30T21:00:00Z', '2027-10-31T00:30:00Z'],
])(
  'a night that ends in %s ends when its clocks first show that it is over',
  (_, timeZone, from, to, time, expected) => {
    expect(afterQuietHours(at(time), night(timeZone, from, to))).toBe(at(expected));
  },
);

/** The first minute, from a time on, at which clocks show a time that is not quiet. */
function firstMinute(time: number, { from, to, timeZone }: QuietHours): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const isQuiet = (moment: number) => {
    const clock = format.format(moment * 1000);
    return from < to ? clock >= from && clock < to : clock >= from || clock < to;
  };
  if (!isQuiet(time)) return time;
  let moment = Math.floor(time / 60) * 60;
  while (isQuiet(moment)) moment += 60;
  return moment;
}

it('what happens in quiet hours is sent in the first minute that is not quiet, in every zone and at every change of clocks', () => {
  const minutes = fc.integer({ min: 0, max: 1439 }).map((minute) => {
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  });
  const zone = fc.constantFrom(
    ...['Etc/UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Auckland', 'Australia/Lord_Howe'],
    ...['America/Santiago', 'Africa/Cairo', 'Antarctica/Troll'],
  );
  // Clocks change on Sundays of March, April, September, October and November, and Egypt's on a Friday and a Thursday.
  const change = fc.constantFrom(
    '2027-03-14',
    '2027-03-28',
    '2027-04-04',
    '2027-04-30',
    '2027-09-05',
    '2027-09-26',
    '2027-10-29',
    '2027-10-31',
    '2027-11-07',
  );
  const nearChange = fc.tuple(change, fc.integer({ min: -129_600, max: 129_600 })).map(([day, off]) => at(day) + off);
  const time = fc.oneof(nearChange, fc.integer({ min: 1_760_000_000, max: 1_900_000_000 }));
  fc.assert(
    fc.property(time, minutes, minutes, zone, (now, from, to, timeZone) => {
      fc.pre(from !== to);
      const quiet = { from, to, timeZone };
      expect(afterQuietHours(now, quiet)).toBe(firstMinute(now, quiet));
    }),
  );
});
