import { operations, streamEvents, titleStored } from '@lobbystats/contracts';
import { eventually, memoryBus } from '@lobbystats/test-kit';
import { ask } from './ask.ts';
import { HARBOR } from './network.ts';
import { freeUrl, runGateway } from './running-gateway.ts';
import { publishExample, publishSlot } from './stream-facts.ts';
import { onlineOf, reaches, readStream } from './stream-reading.ts';

const STREAM = streamEvents.path;

describe('the whole gateway', () => {
  it('streams what it follows, to pages of any origin, and ends streams at once when it stops', async () => {
    const gateway = await runGateway({ env: { STOP_TIMEOUT_MS: '60000' } });
    const reading = await readStream(gateway.url + STREAM);
    expect(reading.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    await publishSlot(gateway.bus, 7);
    await reaches(reading, 1);
    expect(onlineOf(reading)).toEqual([7]);
    await gateway.stop();
    expect(await reading.ended).toBe(true);
  });

  it('names games as they are called when it happens', async () => {
    const { url, bus } = await runGateway();
    const reading = await readStream(`${url}${STREAM}?topics=matches`);
    await bus.publish(titleStored, { revision: 9, titles: [{ ...HARBOR, name: 'Harbor Night' }] });
    await publishExample(bus, 'match.ended');
    const [closed] = await reaches(reading, 1);
    expect(closed).toMatchObject({ event: 'matches', data: { gameName: 'Harbor Night', state: 'closed' } });
  });

  it('gives a reader of another gateway what they missed', async () => {
    const bus = await memoryBus();
    const one = await runGateway({ overrides: { bus } });
    const reading = await readStream(one.url + STREAM);
    await eventually(() => expect(reading.lastEventId()).not.toBe(''));
    await one.stop();
    await publishSlot(bus, 1);
    const other = await runGateway({ overrides: { bus } });
    const again = await readStream(other.url + STREAM, { 'Last-Event-ID': reading.lastEventId() });
    await publishSlot(bus, 2);
    await reaches(again, 2);
    expect(onlineOf(again)).toEqual([1, 2]);
  });

  it('answers requests, but for the stream, while the log is being read for its backlog', async () => {
    const bus = await memoryBus();
    const gate = Promise.withResolvers<never>();
    jest.spyOn(bus, 'readLog').mockImplementationOnce(() => gate.promise);
    const url = await freeUrl();
    const starting = runGateway({ env: { PORT: new URL(url).port }, overrides: { bus } });
    await eventually(async () => expect((await ask(url, operations.getOnlineUsers.path)).status).toBe(200));
    expect((await ask(url, STREAM)).status).toBe(503);
    expect((await ask(url, '/readyz')).status).toBe(503);
    gate.reject(new Error('the log is down'));
    await starting;
    const reading = await readStream(url + STREAM);
    await publishSlot(bus, 1);
    await reaches(reading, 1);
    expect(onlineOf(reading)).toEqual([1]);
  });
});
