import { streamEvents, userErased } from '@lobbystats/contracts';
import { eventually, memoryBus } from '@lobbystats/test-kit';
import { publishChanges, publishRating, publishSlot } from './stream-facts.ts';
import { runStream } from './running-stream.ts';
import { onlineCounts, waitForEvents, readStream } from '@lobbystats/test-kit/stream-reading';

const STREAM = streamEvents.path;
const SMALL = { minEvents: 5, maxEvents: 5, maxBytes: 1_000_000 };

describe('reconnecting stream client', () => {
  it('resumes after its last event, by header or by query', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    for (const online of [1, 2, 3]) await publishSlot(bus, online);
    const [first] = await waitForEvents(reading, 3);
    const byHeader = await readStream(url + STREAM, { 'Last-Event-ID': first!.id });
    const byQuery = await readStream(`${url}${STREAM}?lastEventId=${encodeURIComponent(first!.id)}`);
    await publishSlot(bus, 4);
    for (const again of [byHeader, byQuery]) {
      await waitForEvents(again, 3);
      expect(onlineCounts(again)).toEqual([2, 3, 4]);
    }
  });

  it('resumes from the header when the URL has an older ID', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    for (const online of [1, 2, 3]) await publishSlot(bus, online);
    const [first, second] = await waitForEvents(reading, 3);
    const again = await readStream(`${url}${STREAM}?lastEventId=${first!.id}`, { 'Last-Event-ID': second!.id });
    await waitForEvents(again, 1);
    expect(onlineCounts(again)).toEqual([3]);
  });

  it('misses no event between connecting and its first event', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    await eventually(() => expect(reading.lastEventId()).not.toBe(''));
    reading.disconnect();
    await publishSlot(bus, 1);
    const again = await readStream(url + STREAM, { 'Last-Event-ID': reading.lastEventId() });
    await waitForEvents(again, 1);
    expect(onlineCounts(again)).toEqual([1]);
  });

  it('resumes in the middle of a fact, even at a gateway that has just started', async () => {
    const bus = await memoryBus();
    const one = await runStream({ bus });
    const reading = await readStream(one.url + STREAM);
    await publishChanges(bus, 1, 5);
    const events = await waitForEvents(reading, 5);
    const other = await runStream({ bus });
    await publishChanges(bus, 6, 2);
    for (const { url } of [one, other]) {
      const again = await readStream(url + STREAM, { 'Last-Event-ID': events[2]!.id });
      const seen = await waitForEvents(again, 4);
      expect(seen.map(({ data }) => (data as { id: number }).id)).toEqual([4, 5, 6, 7]);
      expect(seen.slice(0, 2).map(({ id }) => id)).toEqual(events.slice(3, 5).map(({ id }) => id));
    }
  });

  it('receives the last 1,000 events from a gateway that has just started', async () => {
    const bus = await memoryBus();
    const one = await runStream({ bus });
    const reading = await readStream(one.url + STREAM);
    await publishSlot(bus, 0);
    for (let firstId = 1; firstId <= 1000; firstId += 250) await publishChanges(bus, firstId, 250);
    const events = await waitForEvents(reading, 1001);
    await one.stop();
    const other = await runStream({ bus });
    const again = await readStream(other.url + STREAM, { 'Last-Event-ID': events[0]!.id });
    const seen = await waitForEvents(again, 1000);
    expect(seen).toEqual(events.slice(1));
    expect(await other.metrics()).toContain('lobbystats_stream_resumed_total{result="resumed",service="gateway"} 1');
  });

  it.each([
    ['of no log', 'nonsense'],
    ['of another log', '0123456789abcdef-7'],
    ['that is too long to be one', 'x'.repeat(5000)],
    ['with a part that can not be', '~0'],
    ['of a prototype', '__proto__'],
  ])('receives a reset for an ID %s', async (_what, id) => {
    const { url, bus } = await runStream();
    await publishSlot(bus, 1);
    const reading = await readStream(url + STREAM, { 'Last-Event-ID': id });
    await waitForEvents(reading, 1);
    await publishSlot(bus, 2);
    const [reset, next] = await waitForEvents(reading, 2);
    expect(reset).toMatchObject({ event: 'reset', data: {} });
    expect(next).toMatchObject({ event: 'online', data: { online: 2 } });
    const again = await readStream(url + STREAM, { 'Last-Event-ID': reset!.id });
    await waitForEvents(again, 1);
    expect(onlineCounts(again)).toEqual([2]);
  });

  it('receives a reset when its missed events are no longer in the backlog', async () => {
    const { url, bus } = await runStream({ limits: SMALL });
    const reading = await readStream(url + STREAM);
    for (const online of Array.from({ length: 8 }, (_, index) => index)) await publishSlot(bus, online);
    const events = await waitForEvents(reading, 8);
    const resumed = await readStream(url + STREAM, { 'Last-Event-ID': events[2]!.id });
    expect(await waitForEvents(resumed, 5)).toEqual(events.slice(3));
    const late = await readStream(url + STREAM, { 'Last-Event-ID': events[0]!.id });
    expect((await waitForEvents(late, 1))[0]).toMatchObject({ event: 'reset' });
  });

  it('receives no events of an erased user', async () => {
    const bus = await memoryBus();
    const one = await runStream({ bus });
    const reading = await readStream(one.url + STREAM);
    await publishSlot(bus, 1);
    await publishRating(bus, 'EmberFox', 1);
    await publishRating(bus, 'Marlow', 2);
    await bus.publish(userErased, { username: 'EmberFox', gamertag: 'Ember Fox' });
    const [first] = await waitForEvents(reading, 3);
    const other = await runStream({ bus });
    for (const { url } of [one, other]) {
      await publishSlot(bus, 2);
      const again = await readStream(url + STREAM, { 'Last-Event-ID': first!.id });
      const [next] = await waitForEvents(again, 2);
      expect(next).toMatchObject({ data: { username: 'Marlow' } });
    }
  });
});
