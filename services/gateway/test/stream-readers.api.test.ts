import { slotStored, streamEvents } from '@lobbystats/contracts';
import { sendRequest, sendRaw } from '@lobbystats/test-kit/send-request';
import { publishEvent, publishSlot } from './stream-facts.ts';
import { emptyLog, runStream } from './running-stream.ts';
import { waitForEvents, readStream } from '@lobbystats/test-kit/stream-reading';

const STREAM = streamEvents.path;
/** Characters: some dozens of such events fill the socket buffers. */
const LARGE = 500_000;

describe('event stream clients', () => {
  it('are dropped when they do not read, without affecting others', async () => {
    const { url, bus, metrics } = await runStream({ limits: { minEvents: 8, maxEvents: 8, maxBytes: 1000 } });
    const slow = await readStream(url + STREAM);
    const quick = await readStream(url + STREAM);
    slow.pause();
    let publishedCount = 0;
    while (!(await metrics()).includes('stream_readers_dropped_total{service="gateway"} 1')) {
      publishedCount += 1;
      await publishEvent(bus, publishedCount, LARGE);
      await waitForEvents(quick, publishedCount);
    }
    expect(quick.events.map(({ data }) => (data as { id: number }).id)).toEqual(
      Array.from({ length: publishedCount }, (_, index) => index + 1),
    );
    expect(await metrics()).toContain('stream_readers{service="gateway"} 1');
  });

  it('have their streams ended on shutdown, which are counted as complete', async () => {
    const { url, stop, metrics } = await runStream();
    const readings = await Promise.all([readStream(url + STREAM), readStream(url + STREAM)]);
    await stop();
    expect(await Promise.all(readings.map(({ ended }) => ended))).toEqual([true, true]);
    expect(await metrics()).toMatch(
      /^lobbystats_http_request_duration_seconds_count\{.*operation="streamEvents".*status="2xx".*\} 2$/m,
    );
  });

  it('are rejected while another response is pending on the same connection', async () => {
    const { url } = await runStream();
    const answers = await sendRaw(
      url,
      `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET ${STREAM} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+|\{[^}]*\}/g)).toEqual([
      'HTTP/1.1 200',
      expect.stringContaining('alive'),
      'HTTP/1.1 400',
      '{"error":"A stream is not given while another answer of its connection is on its way"}',
    ]);
  });

  it('do not count as requests in flight: more clients are admitted beside 1,100 streams', async () => {
    const { url } = await runStream();
    for (let streams = 0; streams < 1100; streams += 100) {
      await Promise.all(Array.from({ length: 100 }, () => readStream(url + STREAM)));
    }
    expect((await readStream(url + STREAM)).status).toBe(200);
  });

  it('are rejected with 503 while the hub is closed', async () => {
    const { url, hub } = await runStream();
    hub.close();
    const { status, headers } = await sendRequest(url, STREAM);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
  });

  it('receive a reset when facts may have been missed', async () => {
    const { url, bus, hub } = await runStream();
    const reading = await readStream(url + STREAM);
    await publishSlot(bus, 1);
    await waitForEvents(reading, 1);
    const another = '0123456789abcdef';
    hub.begin(emptyLog(`${another}-9`));
    hub.append({ position: `${another}-10`, message: messageOfSlot(2) });
    const events = await waitForEvents(reading, 3);
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['online', expect.any(String)],
      ['reset', `${another}-9`],
      ['online', `${another}-10`],
    ]);
  });
});

function messageOfSlot(online: number) {
  return {
    ...{ id: 'by-hand', type: slotStored.key, version: 1, origin: 'simulated', past: false },
    ...{ occurredAt: '2026-01-31T18:05:00Z', traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-00` },
    data: { slot: '2026-01-31T18:05:00Z', online, lobbies: null },
  };
}
