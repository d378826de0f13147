import { operations, streamEvents, titleStored } from '@lobbystats/contracts';
import { eventually, memoryBus } from '@lobbystats/test-kit';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { HARBOR } from './network.ts';
import { freeUrl, runGateway } from './running-gateway.ts';
import { publishExample, publishSlot } from './stream-facts.ts';
import { onlineCounts, waitForEvents, readStream } from '@lobbystats/test-kit/stream-reading';

const STREAM = streamEvents.path;

describe('event stream of a running gateway', () => {
  it('streams events to any origin, and ends streams at once on shutdown', async () => {
    const gateway = await runGateway({ overrides: { stopTimeoutMs: 60_000 } });
    const reading = await readStream(gateway.url + STREAM);
    expect(reading.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    await publishSlot(gateway.bus, 7);
    await waitForEvents(reading, 1);
    expect(onlineCounts(reading)).toEqual([7]);
    await gateway.stop();
    expect(await reading.ended).toBe(true);
  });

  it('names games by their name at the time of the event', async () => {
    const { url, bus } = await runGateway();
    const reading = await readStream(`${url}${STREAM}?topics=matches`);
    await bus.publish(titleStored, { revision: 9, titles: [{ ...HARBOR, name: 'Harbor Night' }] });
    await publishExample(bus, 'match.ended');
    const [closed] = await waitForEvents(reading, 1);
    expect(closed).toMatchObject({ event: 'matches', data: { gameName: 'Harbor Night', state: 'closed' } });
  });

  it('sends missed events to a client that reconnects from another gateway', async () => {
    const bus = await memoryBus();
    const one = await runGateway({ overrides: { bus } });
    const reading = await readStream(one.url + STREAM);
    await eventually(() => expect(reading.lastEventId()).not.toBe(''));
    await one.stop();
    await publishSlot(bus, 1);
    const other = await runGateway({ overrides: { bus } });
    const again = await readStream(other.url + STREAM, { 'Last-Event-ID': reading.lastEventId() });
    await publishSlot(bus, 2);
    await waitForEvents(again, 2);
    expect(onlineCounts(again)).toEqual([1, 2]);
  });

  it('answers requests other than the stream while the backlog is backfilled', async () => {
    const bus = await memoryBus();
    const gate = Promise.withResolvers<never>();
    jest.spyOn(bus, 'readLog').mockImplementationOnce(() => gate.promise);
    const url = await freeUrl();
    const starting = runGateway({ env: { PORT: new URL(url).port }, overrides: { bus } });
    await eventually(async () => expect((await sendRequest(url, operations.getOnlineUsers.path)).status).toBe(200));
    expect((await sendRequest(url, STREAM)).status).toBe(503);
    expect((await sendRequest(url, '/readyz')).status).toBe(503);
    gate.reject(new Error('the log is down'));
    await starting;
    const reading = await readStream(url + STREAM);
    await publishSlot(bus, 1);
    await waitForEvents(reading, 1);
    expect(onlineCounts(reading)).toEqual([1]);
  });
});
