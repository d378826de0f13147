import { operations, type OperationResponse, type PublicEvent } from '@lobbystats/contracts';
import { startingAt } from './events.ts';
import { NOW } from './running-catalog.ts';
import { runEvents, type RunningEvents } from './running-events.ts';

const EVENTS = operations.listEvents.path;
const PAID = operations.listPaidEvents.path;
const SUMMARY = operations.getPaidEventsSummary.path;
const eventPath = (id: number) => operations.getEvent.path.replace(':eventId', String(id));

const HOUR = 3600;
const DAY = 86_400;

let catalog: RunningEvents;
beforeEach(async () => {
  catalog = await runEvents();
});
afterEach(() => catalog.stop());

describe('paid events', () => {
  type Summary = OperationResponse<typeof operations.getPaidEventsSummary>;
  const paid = { is_paid_event: true, entry_fee_sats: 500, reward_total_sats: 9000, pot_verified_balance_sats: 4000 };

  it('lists only paid events and sums them up', async () => {
    await catalog.announce([
      startingAt(NOW + 2 * HOUR, { id: 1, ...paid, signup_count: 3 }),
      startingAt(NOW + HOUR, { id: 2, ...paid, signup_count: 2, entry_fee_sats: null, reward_total_sats: null }),
      startingAt(NOW, { id: 3, ...paid, signup_count: 4, pot_verified_balance_sats: null }),
      startingAt(NOW - 6 * HOUR, { id: 4, ...paid, signup_count: 5 }),
      startingAt(NOW - 31 * DAY, { id: 5, ...paid, signup_count: 5 }),
      startingAt(NOW, { id: 6, signup_count: 100, entry_fee_sats: 100 }),
    ]);
    expect(await catalog.ids(PAID)).toEqual([4, 3, 2, 1]);
    expect(await catalog.ids(`${PAID}?limit=1&from=2027-01-15%2008:00:01`)).toEqual([2]);
    const { body } = await catalog.get<Summary>(SUMMARY);
    expect(body).toEqual({
      total: 4,
      upcoming: 2,
      active: 1,
      completed: 1,
      totalSignups: 14,
      totalEntryFeeSats: 500 * 12,
      totalRewardSats: 27_000,
      verifiedPotSats: 12_000,
      nextEvent: (await catalog.get<PublicEvent>(eventPath(2))).body,
    });
  });

  it('returns a summary of zeros without paid events', async () => {
    await catalog.announce([startingAt(NOW)]);
    const { status, body } = await catalog.get<Summary>(SUMMARY);
    expect([status, Object.values(body)]).toEqual([200, [0, 0, 0, 0, 0, 0, 0, 0, null]]);
  });

  it('caps sums at the largest safe integer', async () => {
    const all = Number.MAX_SAFE_INTEGER;
    const huge = { ...paid, signup_count: all, entry_fee_sats: all, reward_total_sats: all };
    await catalog.announce([startingAt(NOW, { id: 1, ...huge }), startingAt(NOW, { id: 2, ...huge })]);
    const { status, body } = await catalog.get<Summary>(SUMMARY);
    expect([status, body.totalEntryFeeSats, body.totalSignups, body.totalRewardSats]).toEqual([200, all, all, all]);
  });
});

describe('archived events', () => {
  const LATER = NOW + 40 * DAY;
  const over = startingAt(NOW, { id: 1 });

  it('returns an archived event by ID after it left the lists and the feed', async () => {
    await catalog.announce([over, startingAt(LATER, { id: 2 })]);
    const before = (await catalog.get(eventPath(1))).body;
    catalog.clock.nowMs = LATER * 1000;
    await catalog.announce([startingAt(LATER, { id: 2 })], LATER - 10);
    await catalog.announce([startingAt(LATER, { id: 2, title: 'After' })], LATER);
    expect(await catalog.ids(EVENTS)).toEqual([2]);
    const { status, body } = await catalog.get(eventPath(1));
    expect([status, body]).toEqual([200, before]);
    expect((await catalog.facts(2)).map(({ data }) => data.withdrawn)).toEqual([[], []]);
  });

  it('returns an archived event as it was last announced', async () => {
    await catalog.announce([over]);
    catalog.clock.nowMs = LATER * 1000;
    await catalog.announce([{ ...over, title: 'Harbor Night, with results' }], LATER);
    expect(await catalog.ids(EVENTS)).toEqual([]);
    expect((await catalog.get<PublicEvent>(eventPath(1))).body.title).toBe('Harbor Night, with results');
  });

  it('returns 404 for an event that was withdrawn before its end', async () => {
    await catalog.announce([over], NOW - HOUR);
    await catalog.announce([], NOW);
    catalog.clock.nowMs = LATER * 1000;
    expect((await catalog.get(eventPath(1))).status).toBe(404);
  });

  it('returns 404 for an event first announced after it expired', async () => {
    await catalog.announce([startingAt(NOW - 40 * DAY, { id: 1 })]);
    expect((await catalog.get(eventPath(1))).status).toBe(404);
  });
});
