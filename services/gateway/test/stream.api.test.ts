import { streamEvents, streamTopicNames, streamTopics } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { ask } from './ask.ts';
import { publishSlot, toldFacts, untoldFacts } from './stream-facts.ts';
import { runStream } from './running-stream.ts';
import { onlineOf, reaches, readStream } from './stream-reading.ts';

const STREAM = streamEvents.path;

describe('GET /api/stream', () => {
  it('is an event stream that nobody keeps and no proxy holds back', async () => {
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

  it('says every topic’s events, in the shape of the contracts', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    for (const type of toldFacts) await bus.publish(type, type.example);
    const events = await reaches(reading, toldFacts.length);
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

  it('says only what is asked for', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(`${url}${STREAM}?topics=changes,online`);
    for (const type of toldFacts) await bus.publish(type, type.example);
    await publishSlot(bus, 7);
    const events = await reaches(reading, 3);
    expect(events.map(({ event }) => event)).toEqual(['online', 'changes', 'online']);
  });

  it('says nothing of the past, nothing twice, and nothing of other facts', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    await Promise.all(toldFacts.map((type) => bus.publish(type, type.example, { past: true })));
    await Promise.all(untoldFacts.map((type) => bus.publish(type, type.example)));
    await publishSlot(bus, 1, { id: 'one' });
    await publishSlot(bus, 1, { id: 'one' });
    await publishSlot(bus, 2);
    await reaches(reading, 2);
    expect(onlineOf(reading)).toEqual([1, 2]);
  });

  it.each([
    ['an unknown topic', '?topics=online,nonsense', /^topics must be one or more of online, matches/],
    ['no topic', '?topics=', /^topics must be/],
    ['a name of every object', '?topics=constructor', /^topics must be/],
    ['topics that come twice', '?topics=online&topics=changes', /^topics must be/],
    ['an id that comes twice', '?lastEventId=a&lastEventId=b', /^lastEventId must be given once/],
    ['an id that is no text', '?lastEventId=%FF', /^lastEventId must be percent-encoded/],
  ])('refuses %s', async (_what, query, message) => {
    const { url } = await runStream();
    const { status, headers, body } = await ask(url, STREAM + query);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ error: expect.stringMatching(message) });
  });

  it('answers HEAD without a stream, and no other method', async () => {
    const { url } = await runStream();
    const head = await ask(url, STREAM, { method: 'HEAD' });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', '']);
    const post = await ask(url, STREAM, { method: 'POST' });
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('gives signs of life, and with them the place of who hears nothing', async () => {
    const { url, bus } = await runStream({ secondMs: 2 });
    const reading = await readStream(`${url}${STREAM}?topics=events`);
    await eventually(() => expect(reading.comments()).toBeGreaterThan(0));
    const before = reading.lastEventId();
    await publishSlot(bus, 1);
    await eventually(() => expect(reading.lastEventId()).not.toBe(before));
    expect(reading.events).toEqual([]);
  });
});
