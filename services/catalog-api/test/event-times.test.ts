import { formatTimestamp } from '@lobbystats/contracts';
import fc from 'fast-check';
import { ianaZones } from '../src/events/iana-zones.ts';
import { effectiveEnd, statusOf, withTimes } from '../src/events/event-times.ts';
import { announced } from './events.ts';

/** The local time in a zone according to Intl. */
function createLocalTimeFormatter(zone: string): (seconds: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return (seconds) => format.format(seconds * 1000);
}

const utc = (date: string, time: string, zone: string) => {
  const instant = ianaZones.instantOf(date, time, zone);
  return instant === undefined ? undefined : formatTimestamp(instant).slice(0, 16);
};

describe('conversion of a local time', () => {
  it.each([
    ['Europe/Berlin', '2027-01-15', '20:00', '2027-01-15 19:00'],
    ['Europe/Berlin', '2027-07-15', '20:00', '2027-07-15 18:00'],
    ['America/Los_Angeles', '2027-07-15', '20:00', '2027-07-16 03:00'],
    ['Pacific/Kiritimati', '2027-01-01', '00:00', '2026-12-31 10:00'],
    ['Asia/Kathmandu', '2027-01-01', '00:00', '2026-12-31 18:15'],
    ['UTC', '2028-02-29', '23:59', '2028-02-29 23:59'],
    ['Etc/GMT+12', '2027-01-01', '12:00', '2027-01-02 00:00'],
  ])('converts a local time of %s to UTC: %s %s', (zone, date, time, expected) => {
    expect(utc(date, time, zone)).toBe(expected);
  });

  it.each([
    ['Europe/Berlin', '2027-10-31', '02:30', '2027-10-31 00:30'],
    ['America/New_York', '2027-11-07', '01:00', '2027-11-07 05:00'],
    ['America/New_York', '2027-11-07', '02:00', '2027-11-07 07:00'],
    ['Australia/Lord_Howe', '2027-04-04', '01:45', '2027-04-03 14:45'],
  ])('uses the first occurrence of an ambiguous time in %s: %s %s', (zone, date, time, expected) => {
    expect(utc(date, time, zone)).toBe(expected);
  });

  it.each([
    ['Europe/Berlin', '2027-03-28', '02:30', '2027-03-28 01:30'],
    ['America/New_York', '2027-03-14', '02:00', '2027-03-14 07:00'],
    ['Australia/Lord_Howe', '2027-10-03', '02:15', '2027-10-02 15:45'],
    // A whole day.
    ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-30 22:00'],
  ])('moves a skipped time in %s forward by the gap: %s %s', (zone, date, time, expected) => {
    expect(utc(date, time, zone)).toBe(expected);
  });

  it.each(['', 'Nowhere/City', '+05:00', '-0800', '__proto__', 'Europe/Berlin\0', ' UTC', 'constructor', '🏁'])(
    'returns undefined for the unknown zone %j',
    (zone) => {
      expect(utc('2027-01-15', '20:00', zone)).toBeUndefined();
    },
  );

  it.each(['BST', 'AST', 'PST', 'SST', 'IST', 'bst', 'SystemV/PST8'])(
    'refuses %s, which is no name of the IANA database',
    (zone) => {
      expect(utc('2027-01-15', '20:00', zone)).toBeUndefined();
    },
  );

  it.each(['UTC', 'GMT', 'EST', 'MST', 'HST', 'CET', 'EST5EDT', 'GB', 'Zulu', 'US/Eastern', 'gmt'])(
    'knows %s, which is one',
    (zone) => {
      expect(utc('2027-01-15', '20:00', zone)).toBeDefined();
    },
  );

  it('knows no other name of three letters', () => {
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
    const names = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const known = names.filter((name) => utc('2027-01-15', '20:00', name) !== undefined);
    expect(known.join(' ')).toBe('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET');
  });

  it('agrees with Intl.DateTimeFormat for any zone and time', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'America/St_Johns',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Tehran',
      'Asia/Gaza',
      'Pacific/Apia',
      'Pacific/Chatham',
      'Antarctica/Troll',
      'UTC',
    );
    // Days around daylight saving changes, and any others.
    const days = fc.oneof(
      fc.constantFrom('2027-03-14', '2027-03-28', '2027-04-04', '2027-10-31', '2027-11-07', '2027-09-26', '2026-02-15'),
      fc
        .date({ min: new Date('1990-01-01'), max: new Date('2036-12-31'), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10)),
    );
    fc.assert(
      fc.property(zones, days, fc.nat(23), fc.nat(59), (zone, date, hour, minute) => {
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        const show = createLocalTimeFormatter(zone);
        const instant = ianaZones.instantOf(date, time, zone)!;
        // All offsets are within these bounds and multiples of a quarter of an hour.
        const utcMs = Date.parse(`${date}T${time}:00Z`);
        const candidates = Array.from({ length: 120 }, (_, quarter) => utcMs / 1000 + (quarter - 60) * 900);
        const first = candidates.find((candidate) => show(candidate) === `${date} ${time}`);
        return first === undefined ? show(instant) > `${date} ${time}` : instant === first;
      }),
      { numRuns: 300 },
    );
  });
});

describe('event times', () => {
  const times = (fields: Parameters<typeof announced>[0]) => {
    const timed = withTimes(announced(fields), ianaZones);
    return timed && [timed.startsAt, timed.endsAt ?? NaN].map((at) => (Number.isNaN(at) ? null : formatTimestamp(at)));
  };

  it('an event ends on the next day if its end time is before its start time', () => {
    expect(times({})).toEqual(['2027-01-15 19:00:00', '2027-01-15 21:30:00']);
    expect(times({ end_time: '01:15' })).toEqual(['2027-01-15 19:00:00', '2027-01-16 00:15:00']);
    expect(times({ end_time: '19:59' })).toEqual(['2027-01-15 19:00:00', '2027-01-16 18:59:00']);
    expect(times({ end_time: '20:00' })).toEqual(['2027-01-15 19:00:00', '2027-01-15 19:00:00']);
    expect(times({ event_date: '2027-12-31', end_time: '00:00' })).toEqual([
      '2027-12-31 19:00:00',
      '2027-12-31 23:00:00',
    ]);
  });

  it('converts start and end separately across a daylight saving change', () => {
    const night = { start_time: '23:00', end_time: '05:00' };
    expect(times({ ...night, event_date: '2027-03-27' })).toEqual(['2027-03-27 22:00:00', '2027-03-28 03:00:00']);
    expect(times({ ...night, event_date: '2027-10-30' })).toEqual(['2027-10-30 21:00:00', '2027-10-31 04:00:00']);
  });

  it('an event does not end before its start when the start time is skipped', () => {
    expect(times({ event_date: '2027-03-28', start_time: '02:30', end_time: '03:10' })).toEqual([
      '2027-03-28 01:30:00',
      '2027-03-28 01:30:00',
    ]);
  });

  it('an event without an end time has no end and completes after six hours', () => {
    const timed = withTimes(announced({ end_time: null }), ianaZones)!;
    expect(timed.endsAt).toBeNull();
    expect(effectiveEnd(timed) - timed.startsAt).toBe(6 * 3600);
    const at = (seconds: number) => statusOf(timed, timed.startsAt + seconds);
    expect([at(-1), at(0), at(6 * 3600 - 1), at(6 * 3600)]).toEqual(['upcoming', 'running', 'running', 'past']);
  });

  it.each([
    { event_timezone: 'Nowhere/City' },
    { event_date: '0000-01-01' },
    { event_date: '1969-12-31' },
    { event_date: '9999-12-31', event_timezone: 'Etc/GMT+12' },
    { event_date: '9999-12-31', end_time: '01:00', event_timezone: 'Etc/GMT+12' },
  ])('an event with an unknown zone or a date out of range has no times: %j', (fields) => {
    expect(times(fields)).toBeUndefined();
  });

  it('accepts times up to the end of the year 9999', () => {
    expect(times({ event_date: '9999-12-31', event_timezone: 'UTC' })?.[0]).toBe('9999-12-31 20:00:00');
    expect(times({ event_date: '9999-12-31', end_time: '01:00', event_timezone: 'UTC' })?.[0]).toBe(
      '9999-12-31 20:00:00',
    );
  });
});
