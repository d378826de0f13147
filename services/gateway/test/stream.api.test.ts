import { changeRecorded, matchOpened, streamEvents, streamTopicNames, streamTopics } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { publishRating, publishSlot, streamedFacts, unstreamedFacts } from './stream-facts.ts';
import { runStream } from './running-stream.ts';
import { onlineCounts, waitForEvents, readStream } from '@lobbystats/test-kit/stream-reading';

const STREAM = streamEvents.path;

const nameOf = (data: unknown) => {
  const { username, playerName, hostName } = data as Partial<Record<'username' | 'playerName' | 'hostName', string>>;
  return username ?? playerName ?? hostName;
};
const idOf = ({ data }: { data: unknown }) => (data as { id: number }).id;

describe('GET /api/stream', () => {
  it('is an event stream that is neither cached nor buffered by proxies', async () => {
    const { url } = await runStream();
    const { status, headers, retryMs, lastEventId } = await readStream(url + STREAM);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await eventually(() => {
      expect(retryMs()).toBeGreaterThanOrEqual(1000);
      expect(retryMs()).toBeLessThanOrEqual(5000);
      expect(lastEventId()).not.toBe('');
    });
  });

  it('sends events of every topic in the shape of the contracts', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    for (const type of streamedFacts) await bus.publish(type, type.example);
    const events = await waitForEvents(reading, streamedFacts.length);
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(streamTopicNames));
    for (const { event, data } of events) {
      const { data: schema, example } = streamTopics[event as keyof typeof streamTopics];
      expect(schema.parse(data)).toEqual(data);
      expect(Object.keys(data as object)).toEqual(Object.keys(example));
    }
    expect(events.filter(({ event }) => event === 'matches').map(({ data }) => data)).toEqual([
      expect.objectContaining({ gameName: 'Harbor Racing', state: 'open' }),
      expect.objectContaining({ gameName: 'Harbor Racing', state: 'closed' }),
    ]);
  });

  it('sends only the requested topics', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(`${url}${STREAM}?topics=changes,online`);
    for (const type of streamedFacts) await bus.publish(type, type.example);
    await publishSlot(bus, 7);
    const events = await waitForEvents(reading, 3);
    expect(events.map(({ event }) => event)).toEqual(['online', 'changes', 'online']);
  });

  it('sends of the events that name a user, player or host only those of the names', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(`${url}${STREAM}?names=ember%20%20FOX,Grey%20Owl`);
    const [change] = changeRecorded.example.changes;
    const changes = ['Ember Fox', 'Other', 'EMBER FOX', 'Emberfox'].map((playerName) => ({ ...change!, playerName }));
    await bus.publish(changeRecorded, { changes });
    await publishRating(bus, 'Ember Fox', 1);
    await publishRating(bus, 'Other', 2);
    const [match] = matchOpened.example.matches;
    const matches = ['Other', 'Grey Owl'].map((host) => ({ ...match!, host }));
    await bus.publish(matchOpened, { ...matchOpened.example, matches });
    await publishSlot(bus, 7);
    const events = await waitForEvents(reading, 5);
    expect(events.map(({ event, data }) => [event, nameOf(data)])).toEqual([
      ['changes', 'Ember Fox'],
      ['changes', 'EMBER FOX'],
      ['ratings', 'Ember Fox'],
      ['matches', 'Grey Owl'],
      ['online', undefined],
    ]);
  });

  it('sends of the events that are of a game only those of the title IDs', async () => {
    const { url, bus } = await runStream();
    const [change] = changeRecorded.example.changes;
    const [match] = matchOpened.example.matches;
    const title = String(change?.titleId);
    const reading = await readStream(`${url}${STREAM}?titleId=ffffffff,${title.toUpperCase()}`);
    await bus.publish(changeRecorded, { changes: [{ ...change!, titleId: '00000001' }, change!] });
    const matches = ['00000001', 'ffffffff'].map((titleId) => ({ ...match!, titleId }));
    await bus.publish(matchOpened, { ...matchOpened.example, matches });
    await publishRating(bus, 'Ember Fox', 1);
    await publishSlot(bus, 7);
    const events = await waitForEvents(reading, 4);
    expect(events.map(({ event, data }) => [event, (data as { titleId?: string }).titleId])).toEqual([
      ['changes', title],
      ['matches', 'ffffffff'],
      ['ratings', undefined],
      ['online', undefined],
    ]);
  });

  it('continues after each event of a name as without names, and keeps the position meanwhile', async () => {
    const { url, bus } = await runStream({ secondMs: 2 });
    const reading = await readStream(`${url}${STREAM}?topics=changes&names=A`);
    const [change] = changeRecorded.example.changes;
    const players = ['B', 'A', 'B', 'A', 'B'];
    const changes = players.map((playerName, index) => ({ ...change!, playerName, id: index + 1 }));
    await bus.publish(changeRecorded, { changes });
    const [first] = await waitForEvents(reading, 2);
    const resume = (names: string) =>
      readStream(`${url}${STREAM}?topics=changes&names=${names}&lastEventId=${String(first?.id)}`);
    expect((await waitForEvents(await resume('A'), 1)).map(idOf)).toEqual([4]);
    expect((await waitForEvents(await resume('A,B'), 3)).map(idOf)).toEqual([3, 4, 5]);
    // The last event is of another name: the position follows with a heartbeat.
    await eventually(() => expect(reading.lastEventId()).not.toContain('~'));
    const end = reading.lastEventId();
    await publishRating(bus, 'A', 1);
    await eventually(() => expect(reading.lastEventId()).not.toBe(end));
    expect(reading.events).toHaveLength(2);
  });

  it('sends no backfilled facts, no duplicates and no other facts', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    await Promise.all(streamedFacts.map((type) => bus.publish(type, type.example, { past: true })));
    await Promise.all(unstreamedFacts.map((type) => bus.publish(type, type.example)));
    await publishSlot(bus, 1, { id: 'one' });
    await publishSlot(bus, 1, { id: 'one' });
    await publishSlot(bus, 2);
    await waitForEvents(reading, 2);
    expect(onlineCounts(reading)).toEqual([1, 2]);
  });

  it.each([
    ['an unknown topic', '?topics=online,nonsense', /^topics must be one or more of online, matches/],
    ['no topic', '?topics=', /^topics must be/],
    ['a name of every object', '?topics=constructor', /^topics must be/],
    ['topics that come twice', '?topics=online&topics=changes', /^topics must be/],
    ['no name', '?names=,', /^names must be names/],
    ['too many names', `?names=${Array.from({ length: 21 }, (_, index) => index).join()}`, /^names must be at most 20/],
    ['no title ID', '?titleId=', /^titleId must be 1 to 20 title IDs/],
    ['a name as title ID', '?titleId=Harbor', /^titleId must be 1 to 20 title IDs/],
    ['an id that comes twice', '?lastEventId=a&lastEventId=b', /^lastEventId must be given once/],
    ['an id that is no text', '?lastEventId=%FF', /^lastEventId must be percent-encoded/],
  ])('rejects %s with 400', async (_what, query, message) => {
    const { url } = await runStream();
    const { status, headers, body } = await sendRequest(url, STREAM + query);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ error: expect.stringMatching(message) });
  });

  it('answers HEAD without a stream, and other methods with 405', async () => {
    const { url } = await runStream();
    const head = await sendRequest(url, STREAM, { method: 'HEAD' });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', '']);
    const post = await sendRequest(url, STREAM, { method: 'POST' });
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('sends heartbeats with the position, even when no event matches', async () => {
    const { url, bus } = await runStream({ secondMs: 2 });
    const reading = await readStream(`${url}${STREAM}?topics=events`);
    await eventually(() => expect(reading.comments()).toBeGreaterThan(0));
    const before = reading.lastEventId();
    await publishSlot(bus, 1);
    await eventually(() => expect(reading.lastEventId()).not.toBe(before));
    expect(reading.events).toEqual([]);
  });
});
