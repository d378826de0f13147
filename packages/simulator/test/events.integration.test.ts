import type { NetworkEvent } from '../src/index.ts';
import { createWorld } from '../src/world/world.ts';
import { instant, NOW_SECONDS, NOW_SLOT, withSimulator } from './running-simulator.ts';

const DAY = 86_400;
const world = createWorld();
const events = world.eventsAt(NOW_SLOT);
const year = Array.from({ length: 73 }, (_, index) => world.eventsAt(NOW_SLOT - index * 5 * DAY));

describe('announced events', () => {
  it('match the feed, now and at a past instant', async () => {
    await withSimulator({}, async ({ get, json }) => {
      const response = await get('/feeds/events.json');
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(response.headers.get('etag')).toMatch(/^"/);
      expect(await response.json()).toEqual(events);
      const then = NOW_SLOT - 30 * DAY;
      expect(await json(`/feeds/events.json?at=${instant(then)}`)).toEqual(world.eventsAt(then));
      expect((await get(`/feeds/events.json?at=${instant(NOW_SECONDS + 1)}`)).status).toBe(400);
    });
  });

  it('depend only on the seed', () => {
    expect(createWorld({ seed: '1' }).eventsAt(NOW_SLOT)).toEqual(events);
    expect(createWorld({ seed: 2 }).eventsAt(NOW_SLOT)).not.toEqual(events);
  });

  it('number about 30 at any time, from 40 days ago to 60 days ahead', () => {
    for (const [index, announced] of year.entries()) {
      const now = NOW_SLOT - index * 5 * DAY;
      expect(announced.length).toBeGreaterThan(22);
      expect(announced.length).toBeLessThan(48);
      expect(new Set(announced.map(({ id }) => id)).size).toBe(announced.length);
      for (const { event_date: date } of announced) {
        expect(Date.parse(date) / 1_000).toBeGreaterThan(now - 43 * DAY);
        expect(Date.parse(date) / 1_000).toBeLessThan(now + 63 * DAY);
      }
    }
  });

  it('have well-formed fields', () => {
    const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Kolkata'];
    for (const event of year.flat()) {
      expect(event.event_date).toBe(instant(Date.parse(event.event_date) / 1_000).slice(0, 10));
      for (const time of [event.start_time, event.end_time ?? '00:00'])
        expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
      expect(zones).toContain(event.event_timezone);
      expect(event.title_id ?? 'deadbeef').toMatch(/^[0-9a-f]{8}$/);
      for (const at of [event.registration_opens_at, event.registration_closes_at]) {
        expect(at ?? '2026-01-01 00:00:00').toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
      }
      expectSaneMoney(event);
    }
  });

  it('cover both kinds, paid events, open ends, midnight and daylight saving changes', () => {
    const all = [...new Map(year.flat().map((event) => [event.id, event])).values()];
    const shareOf = (is: (event: NetworkEvent) => boolean) => all.filter(is).length / all.length;
    expect(shareOf((event) => event.item_kind === 'tournament')).toBeGreaterThan(0.25);
    expect(shareOf((event) => event.item_kind === 'event')).toBeGreaterThan(0.25);
    expect(shareOf((event) => event.is_paid_event)).toBeGreaterThan(0.15);
    expect(shareOf((event) => event.end_time === null)).toBeGreaterThan(0.1);
    expect(shareOf((event) => event.end_time !== null && event.end_time < event.start_time)).toBeGreaterThan(0.1);
    expect(shareOf((event) => event.title_id === null)).toBeGreaterThan(0.03);
    const changing = all.filter(hasClockChange).map((event) => event.event_timezone);
    expect(changing).toEqual(expect.arrayContaining(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']));
  });

  it('keep their fields, gain signups until they start, and are sometimes withdrawn', () => {
    const newestFirst = new Map<number, NetworkEvent>();
    let withdrawn = 0;
    for (const [index, announced] of year.entries()) {
      const later = new Set(year[index - 1]?.map(({ id }) => id) ?? announced.map(({ id }) => id));
      for (const event of announced) {
        const isAhead = Date.parse(event.event_date) / 1_000 > NOW_SLOT - index * 5 * DAY + 10 * DAY;
        if (isAhead && !later.has(event.id)) withdrawn += 1;
        const after = newestFirst.get(event.id) ?? event;
        expect(withoutChangingFields(after)).toEqual(withoutChangingFields(event));
        expect(after.signup_count).toBeGreaterThanOrEqual(event.signup_count);
        newestFirst.set(event.id, event);
      }
    }
    expect(withdrawn).toBeGreaterThan(3);
    const grown = world.eventsAt(NOW_SLOT + DAY).filter((event) => {
      const before = events.find(({ id }) => id === event.id);
      return before !== undefined && event.signup_count > before.signup_count;
    });
    expect(grown.length).toBeGreaterThan(3);
  });
});

/** Replaces the fields that change. */
function withoutChangingFields(event: NetworkEvent): NetworkEvent {
  return { ...event, signup_count: 0, tournament_status: '', reward_total_sats: 0, pot_verified_balance_sats: 0 };
}

function expectSaneMoney({ is_paid_event, has_prize, prize_amount, ...sats }: NetworkEvent): void {
  expect(prize_amount !== null).toBe(has_prize);
  expect([sats.entry_fee_sats !== null, sats.reward_total_sats !== null]).toEqual([is_paid_event, is_paid_event]);
  for (const one of [sats.entry_fee_sats, sats.reward_total_sats, sats.pot_verified_balance_sats]) {
    expect(Number.isInteger(one ?? 0) && (one ?? 0) >= 0).toBe(true);
  }
}

/** Whether the UTC offset of the zone changes around the day of the event. */
function hasClockChange({ event_date: date, event_timezone: timeZone }: NetworkEvent): boolean {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (ms: number) => format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value;
  return offsetAt(Date.parse(date) - 1.2 * DAY * 1_000) !== offsetAt(Date.parse(date) + 2 * DAY * 1_000);
}
