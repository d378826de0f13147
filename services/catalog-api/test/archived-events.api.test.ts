import { operations, type PublicEvent } from '@lobbystats/contracts';
import { startingAt } from './events.ts';
import { NOW } from './running-catalog.ts';
import { runEvents, type RunningEvents } from './running-events.ts';

const EVENTS = operations.listEvents.path;
const eventPath = (id: number) => operations.getEvent.path.replace(':eventId', () => String(id));

const HOUR = 3600;
const DAY = 86_400;

let catalog: RunningEvents;
beforeEach(async () => {
  catalog = await runEvents();
});
afterEach(() => catalog.stop());

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
