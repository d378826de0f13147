import { streamEvents, userForgotten } from '@lobbystats/contracts';
import { eventually, memoryBus } from '@lobbystats/test-kit';
import { publishChanges, publishRating, publishSlot } from './stream-facts.ts';
import { runStream } from './running-stream.ts';
import { onlineOf, reaches, readStream } from './stream-reading.ts';

const STREAM = streamEvents.path;
const SMALL = { minEvents: 5, maxEvents: 5, maxBytes: 1_000_000 };

describe('a reader who comes back', () => {
  it('goes on behind the event that they had, by header or by query', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    for (const online of [1, 2, 3]) await publishSlot(bus, online);
    const [first] = await reaches(reading, 3);
    const byHeader = await readStream(url + STREAM, { 'Last-Event-ID': first!.id });
    const byQuery = await readStream(`${url}${STREAM}?lastEventId=${encodeURIComponent(first!.id)}`);
    await publishSlot(bus, 4);
    for (const again of [byHeader, byQuery]) {
      await reaches(again, 3);
      expect(onlineOf(again)).toEqual([2, 3, 4]);
    }
  });

  it('goes by the header where the URL has an older id', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    for (const online of [1, 2, 3]) await publishSlot(bus, online);
    const [first, second] = await reaches(reading, 3);
    const again = await readStream(`${url}${STREAM}?lastEventId=${first!.id}`, { 'Last-Event-ID': second!.id });
    await reaches(again, 1);
    expect(onlineOf(again)).toEqual([3]);
  });

  it('misses nothing that happened before their first event', async () => {
    const { url, bus } = await runStream();
    const reading = await readStream(url + STREAM);
    await eventually(() => expect(reading.lastEventId()).not.toBe(''));
    reading.hangUp();
    await publishSlot(bus, 1);
    const again = await readStream(url + STREAM, { 'Last-Event-ID': reading.lastEventId() });
    await reaches(again, 1);
    expect(onlineOf(again)).toEqual([1]);
  });

  it('goes on in the middle of a fact, also at a gateway that has just started', async () => {
    const bus = await memoryBus();
    const one = await runStream({ bus });
    const reading = await readStream(one.url + STREAM);
    await publishChanges(bus, 1, 5);
    const events = await reaches(reading, 5);
    const other = await runStream({ bus });
    await publishChanges(bus, 6, 2);
    for (const { url } of [one, other]) {
      const again = await readStream(url + STREAM, { 'Last-Event-ID': events[2]!.id });
      const seen = await reaches(again, 4);
      expect(seen.map(({ data }) => (data as { id: number }).id)).toEqual([4, 5, 6, 7]);
      expect(seen.slice(0, 2).map(({ id }) => id)).toEqual(events.slice(3, 5).map(({ id }) => id));
    }
  });

  it('has the last thousand events at a gateway that has just started', async () => {
    const bus = await memoryBus();
    const one = await runStream({ bus });
    const reading = await readStream(one.url + STREAM);
    await publishSlot(bus, 0);
    for (let firstId = 1; firstId <= 1000; firstId += 250) await publishChanges(bus, firstId, 250);
    const events = await reaches(reading, 1001);
    await one.stop();
    const other = await runStream({ bus });
    const again = await readStream(other.url + STREAM, { 'Last-Event-ID': events[0]!.id });
    const seen = await reaches(again, 1000);
    expect(seen).toEqual(events.slice(1));
    expect(await other.metrics()).toContain('lobbystats_stream_resumed_total{result="resumed",service="gateway"} 1');
  });

  it.each([
    ['of no log', 'nonsense'],
    ['of another log', '0123456789abcdef-7'],
    ['that is too long to be one', 'x'.repeat(5000)],
    ['with a part that can not be', '~0'],
    ['of a prototype', '__proto__'],
  ])('is told that they may have missed something with an id %s', async (_what, id) => {
    const { url, bus } = await runStream();
    await publishSlot(bus, 1);
    const reading = await readStream(url + STREAM, { 'Last-Event-ID': id });
    await reaches(reading, 1);
    await publishSlot(bus, 2);
    const [reset, next] = await reaches(reading, 2);
    expect(reset).toMatchObject({ event: 'reset', data: {} });
    expect(next).toMatchObject({ event: 'online', data: { online: 2 } });
    const again = await readStream(url + STREAM, { 'Last-Event-ID': reset!.id });
    await reaches(again, 1);
    expect(onlineOf(again)).toEqual([2]);
  });

  it('is told so, too, when what they missed is no longer kept', async () => {
    const { url, bus } = await runStream({ limits: SMALL });
    const reading = await readStream(url + STREAM);
    for (const online of Array.from({ length: 8 }, (_, index) => index)) await publishSlot(bus, online);
    const events = await reaches(reading, 8);
    const kept = await readStream(url + STREAM, { 'Last-Event-ID': events[2]!.id });
    expect(await reaches(kept, 5)).toEqual(events.slice(3));
    const late = await readStream(url + STREAM, { 'Last-Event-ID': events[0]!.id });
    expect((await reaches(late, 1))[0]).toMatchObject({ event: 'reset' });
  });

  it('gets nothing any more of somebody who was forgotten', async () => {
    const bus = await memoryBus();
    const one = await runStream({ bus });
    const reading = await readStream(one.url + STREAM);
    await publishSlot(bus, 1);
    await publishRating(bus, 'EmberFox', 1);
    await publishRating(bus, 'Marlow', 2);
    await bus.publish(userForgotten, { username: 'EmberFox', gamertag: 'Ember Fox' });
    const [first] = await reaches(reading, 3);
    const other = await runStream({ bus });
    for (const { url } of [one, other]) {
      await publishSlot(bus, 2);
      const again = await readStream(url + STREAM, { 'Last-Event-ID': first!.id });
      const [next] = await reaches(again, 2);
      expect(next).toMatchObject({ data: { username: 'Marlow' } });
    }
  });
});
