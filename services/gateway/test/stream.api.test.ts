import { streamEvents, streamTopicNames, streamTopics } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { publishSlot, streamedFacts, unstreamedFacts } from './stream-facts.ts';
import { runStream } from './running-stream.ts';
import { onlineCounts, waitForEvents, readStream } from '@lobbystats/test-kit/stream-reading';

const STREAM = streamEvents.path;

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
