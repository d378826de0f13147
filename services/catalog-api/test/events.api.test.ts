import { eventsObserved, formatInstant, formatTimestamp, operations, type PublicEvent } from '@lobbystats/contracts';
import { announced, startingAt } from './events.ts';
import { NOW } from './running-catalog.ts';
import { runEvents, type RunningEvents } from './running-events.ts';

const EVENTS = operations.listEvents.path;
const PAID = operations.listPaidEvents.path;
const eventPath = (id: number | string) => operations.getEvent.path.replace(':eventId', () => String(id));

const HOUR = 3600;
const DAY = 86_400;

let catalog: RunningEvents;
beforeEach(async () => {
  catalog = await runEvents();
});
afterEach(() => catalog.stop());

describe('public event', () => {
  it('shows an event as announced, with its times in UTC', async () => {
    const event = announced({ id: 7, end_time: '01:15', event_timezone: 'Europe/Berlin' });
    await catalog.announce([event]);
    const expected = {
      ...event,
      start_date_utc: '2027-01-15',
      start_datetime_utc: '19:00',
      end_date_utc: '2027-01-16',
      end_datetime_utc: '00:15',
      starts_at: '2027-01-15 19:00:00',
      ends_at: '2027-01-16 00:15:00',
    };
    expect((await catalog.get(EVENTS)).body).toEqual([expected]);
    const one = await catalog.get(eventPath(7));
    expect([one.status, one.body]).toEqual([200, expected]);
    expect(one.headers.get('last-modified')).toBe(new Date(NOW * 1000).toUTCString());
  });

  it('shows null for the UTC end of an event without an end', async () => {
    await catalog.announce([announced({ end_time: null })]);
    const [event] = (await catalog.get(EVENTS)).body;
    expect(event).toMatchObject({ end_time: null, end_date_utc: null, end_datetime_utc: null, ends_at: null });
  });

  it('preserves special characters in the fields of an event', async () => {
    const awkward = announced({
      title: '__proto__ \0 🏁 "><script>',
      description: '\r\n$where\u2028',
      title_id: 'ffffffff',
      entry_fee_sats: Number.MAX_SAFE_INTEGER,
    });
    await catalog.announce([awkward]);
    expect((await catalog.get(EVENTS)).body).toMatchObject([awkward]);
  });

  it.each(['x', '-1', '1.5', '31x', '2147483648', '9'.repeat(1000), '%00', '%2F', '__proto__', '99'])(
    'returns 404 for the event ID %s',
    async (id) => {
      await catalog.announce([announced({ id: 31 })]);
      const { status, body } = await catalog.get(eventPath(id));
      expect([status, body]).toEqual([404, { error: 'Unknown event' }]);
    },
  );
});

describe('list of events', () => {
  it('returns an empty list before the first announcement', async () => {
    const { status, headers, body } = await catalog.get(EVENTS);
    expect([status, body, headers.get('last-modified')]).toEqual([200, [], null]);
  });

  it('orders events by start, then by ID', async () => {
    const at = (id: number, hours: number) => startingAt(NOW + hours * HOUR, { id });
    await catalog.announce([at(5, 2), at(9, 1), at(3, 2), at(4, 3)]);
    expect(await catalog.ids(EVENTS)).toEqual([9, 3, 5, 4]);
    expect(await catalog.ids(`${EVENTS}?limit=2`)).toEqual([9, 3]);
  });

  it('lists an event until 30 days after its end', async () => {
    await catalog.announce([startingAt(NOW, { id: 1 })]);
    const over = NOW + 6 * HOUR + 30 * DAY;
    for (const [seconds, ids] of [
      [over - 1, [1]],
      [over, []],
    ] as const) {
      catalog.clock.nowMs = seconds * 1000;
      expect(await catalog.ids(EVENTS)).toEqual(ids);
      expect((await catalog.get(eventPath(1))).status).toBe(200);
    }
  });

  it('filters events by start: from inclusive, to exclusive', async () => {
    await catalog.announce([0, 1, 2].map((day) => startingAt(NOW + day * DAY, { id: day })));
    // NOW is 2027-01-15 08:00:00.
    expect(await catalog.ids(`${EVENTS}?from=2027-01-15%2008:00:00`)).toEqual([0, 1, 2]);
    expect(await catalog.ids(`${EVENTS}?from=2027-01-15T08:00:01Z`)).toEqual([1, 2]);
    expect(await catalog.ids(`${EVENTS}?to=2027-01-17T08:00:00`)).toEqual([0, 1]);
    expect(await catalog.ids(`${EVENTS}?from=2027-01-16&to=2027-01-17`)).toEqual([1]);
    expect(await catalog.ids(`${EVENTS}?from=2027-01-17&to=2027-01-16`)).toEqual([]);
  });

  it('filters events by title, and returns 404 for a title without events and metadata', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Harbor Racing' }, '0000000a': { name: 'Rally' } });
    await catalog.announce([
      announced({ id: 1, title_id: '4d530064' }),
      announced({ id: 2, title_id: null }),
      announced({ id: 3, title_id: 'ffffffff' }),
    ]);
    expect(await catalog.ids(`${EVENTS}?titleId=4D530064`)).toEqual([1]);
    expect(await catalog.ids(`${EVENTS}?titleId=0000000a`)).toEqual([]);
    expect(await catalog.ids(`${EVENTS}?titleId=ffffffff`)).toEqual([3]);
    expect(await catalog.ids(`${EVENTS}?titleId=`)).toEqual([1, 2, 3]);
    for (const titleId of ['12345678', 'x', '__proto__', '%00', '1'.repeat(101)]) {
      const { status, body } = await catalog.get<unknown>(`${EVENTS}?titleId=${titleId}`);
      expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
    }
  });

  it('filters events by status, the soonest upcoming one first', async () => {
    await catalog.announce([
      startingAt(NOW + 2 * HOUR, { id: 1 }),
      startingAt(NOW + HOUR, { id: 2 }),
      startingAt(NOW, { id: 3 }),
      startingAt(NOW - 6 * HOUR, { id: 4 }),
      startingAt(NOW - 7 * HOUR, { id: 5 }),
    ]);
    expect(await catalog.ids(`${EVENTS}?status=upcoming`)).toEqual([2, 1]);
    expect(await catalog.ids(`${EVENTS}?status=upcoming&limit=1`)).toEqual([2]);
    expect(await catalog.ids(`${EVENTS}?status=running`)).toEqual([3]);
    expect(await catalog.ids(`${EVENTS}?status=past`)).toEqual([5, 4]);
    expect(await catalog.ids(`${PAID}?status=past`)).toEqual([]);
    catalog.clock.nowMs += HOUR * 1000;
    expect(await catalog.ids(`${EVENTS}?status=running`)).toEqual([3, 2]);
  });

  it.each([
    ['limit=0', 'limit must be an integer from 1 to 200'],
    ['limit=201', 'limit must be an integer from 1 to 200'],
    ['from=2027-02-30', 'from must be a time that exists'],
    ['to=x', 'to must be a time of the form YYYY-MM-DD or YYYY-MM-DD HH:MM:SS'],
    ['to=1&to=2', 'to must be a time of the form YYYY-MM-DD or YYYY-MM-DD HH:MM:SS'],
    ['titleId=1&titleId=2', 'titleId must be a title ID'],
    ['status=active', 'status must be one of upcoming, running, past'],
    ['status=__proto__', 'status must be one of upcoming, running, past'],
    ['status=past&status=past', 'status must be one of upcoming, running, past'],
  ])('returns 400 for ?%s: %s', async (query, error) => {
    for (const path of [EVENTS, PAID]) {
      const { status, body } = await catalog.get<unknown>(`${path}?${query}`);
      expect([status, body]).toEqual([400, { error }]);
    }
  });
});

describe('announcement of events', () => {
  it('publishes new and changed events, and withdraws missing ones', async () => {
    const [first, second] = [announced({ id: 1 }), announced({ id: 2, title: 'Before' })];
    await catalog.announce([first, second], NOW - 10);
    await catalog.announce([{ ...second, title: 'After' }, announced({ id: 3 })], NOW);
    const facts = await catalog.facts(2);
    expect(facts.map(({ data }) => [data.events.map(({ id, title }) => [id, title]), data.withdrawn])).toEqual([
      [
        [
          [1, 'Harbor Night'],
          [2, 'Before'],
        ],
        [],
      ],
      [
        [
          [2, 'After'],
          [3, 'Harbor Night'],
        ],
        [1],
      ],
    ]);
    expect(facts[1]?.data.events[0]).toEqual((await catalog.get<PublicEvent>(eventPath(2))).body);
    expect(facts.map(({ id, occurredAt }) => [id, occurredAt])).toEqual([
      [`event.stored:simulated:${NOW - 10}:1`, formatInstant(NOW - 10)],
      [`event.stored:simulated:${NOW}:1`, formatInstant(NOW)],
    ]);
    expect(await catalog.ids(EVENTS)).toEqual([2, 3]);
  });

  it('ignores repeated, late and unchanged announcements', async () => {
    const event = announced({ id: 1 });
    await catalog.announce([event], NOW - 10);
    await catalog.announce([event], NOW - 10);
    await catalog.announce([], NOW - 20);
    await catalog.announce([event], NOW);
    await catalog.announce([], NOW - 5);
    expect(await catalog.ids(EVENTS)).toEqual([1]);
    const { headers } = await catalog.get(EVENTS);
    expect(headers.get('last-modified')).toBe(new Date((NOW - 10) * 1000).toUTCString());
    await catalog.announce([event, announced({ id: 2 })], NOW + 1);
    expect((await catalog.facts(2)).map(({ data }) => data.events.map(({ id }) => id))).toEqual([[1], [2]]);
  });

  it('keeps an ended event that is no longer announced', async () => {
    await catalog.announce(
      [startingAt(NOW - 7 * HOUR, { id: 1 }), startingAt(NOW - 5 * HOUR, { id: 2 })],
      NOW - 8 * HOUR,
    );
    await catalog.announce([], NOW);
    expect(await catalog.ids(EVENTS)).toEqual([1]);
    expect((await catalog.facts(2))[1]?.data).toEqual({ events: [], withdrawn: [2] });
  });

  it('skips an event with an unknown zone and applies the others', async () => {
    await catalog.announce([announced({ id: 1, title: 'Before' })], NOW - 10);
    const nowhere = { event_timezone: 'Nowhere/City' };
    await catalog.announce([announced({ id: 1, ...nowhere }), announced({ id: 2, ...nowhere }), announced({ id: 3 })]);
    expect(await catalog.ids(EVENTS)).toEqual([1, 3]);
    expect((await catalog.get<PublicEvent>(eventPath(1))).body.title).toBe('Before');
  });

  it('keeps events listed as unread, and withdraws them once they are missing', async () => {
    const [first, second] = [announced({ id: 1 }), announced({ id: 2 })];
    const later = (unread: number[], seenAt: number) =>
      catalog.bus.publish(eventsObserved, { seenAt: formatInstant(seenAt), events: [second], unread });
    await catalog.announce([first, second], NOW - 20);
    await later([1, 3], NOW - 10);
    await catalog.announce([second, announced({ id: 4 })], NOW - 5);
    const facts = await catalog.facts(2);
    expect(facts[1]?.data).toMatchObject({ events: [{ id: 4 }], withdrawn: [1] });
    expect(await catalog.ids(EVENTS)).toEqual([2, 4]);
  });

  it('withdraws an event moved to the distant past, and lists it again when it moves back', async () => {
    const [soon, old] = [startingAt(NOW + HOUR, { id: 1 }), startingAt(NOW - 40 * DAY, { id: 1 })];
    await catalog.announce([soon], NOW - 20);
    await catalog.announce([old], NOW - 10);
    expect(await catalog.ids(EVENTS)).toEqual([]);
    const moved = (await catalog.get<PublicEvent>(eventPath(1))).body;
    expect(moved.starts_at).toBe(formatTimestamp(NOW - 40 * DAY));
    await catalog.announce([soon], NOW);
    expect(await catalog.ids(EVENTS)).toEqual([1]);
    const withdrawn = (await catalog.facts(3)).map(({ data }) => data.withdrawn);
    expect(withdrawn).toEqual([[], [1], []]);
    catalog.clock.nowMs += 40 * DAY * 1000;
    await catalog.announce([startingAt(NOW + 41 * DAY, { id: 1 })], NOW + 40 * DAY);
    expect(await catalog.ids(EVENTS)).toEqual([1]);
  });

  it('rejects an announcement more than an hour ahead of the clock', async () => {
    await catalog.announce([announced({ id: 1 })]);
    await catalog.announce([], NOW + HOUR + 1);
    expect(await catalog.ids(EVENTS)).toEqual([1]);
    await catalog.announce([], NOW + HOUR);
    expect(await catalog.ids(EVENTS)).toEqual([]);
  });

  it('marks facts of a backfilled announcement as past', async () => {
    await catalog.announce([announced()], NOW - DAY, { past: true });
    expect((await catalog.facts(1)).map(({ past }) => past)).toEqual([true]);
  });

  it('splits an announcement of 2,000 events into facts of bounded size', async () => {
    const description = 'x'.repeat(1500);
    await catalog.announce(Array.from({ length: 2000 }, (_, id) => announced({ id, description })));
    const facts = await catalog.facts(5);
    expect(facts.flatMap(({ data }) => data.events.map(({ id }) => id))).toEqual(
      Array.from({ length: 2000 }, (_, id) => id),
    );
    expect(new Set(facts.map(({ id }) => id)).size).toBe(5);
    expect(await catalog.ids(EVENTS)).toHaveLength(2000);
    expect(await catalog.ids(`${EVENTS}?limit=200`)).toHaveLength(200);
  });
});
