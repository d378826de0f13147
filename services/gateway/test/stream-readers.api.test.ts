import { slotStored, streamEvents } from '@lobbystats/contracts';
import { ask, askRaw } from './ask.ts';
import { publishEvent, publishSlot } from './stream-facts.ts';
import { emptyLog, runStream } from './running-stream.ts';
import { reaches, readStream } from './stream-reading.ts';

const STREAM = streamEvents.path;
/** Characters: some dozen of such events fill what a system keeps for a connection. */
const LARGE = 500_000;

describe('a gateway with readers', () => {
  it('drops one who takes nothing, and no other', async () => {
    const { url, bus, metrics } = await runStream({ limits: { minEvents: 8, maxEvents: 8, maxBytes: 1000 } });
    const slow = await readStream(url + STREAM);
    const quick = await readStream(url + STREAM);
    slow.pause();
    let said = 0;
    while (!(await metrics()).includes('stream_readers_dropped_total{service="gateway"} 1')) {
      said += 1;
      await publishEvent(bus, said, LARGE);
      await reaches(quick, said);
    }
    expect(quick.events.map(({ data }) => (data as { id: number }).id)).toEqual(
      Array.from({ length: said }, (_, index) => index + 1),
    );
    expect(await metrics()).toContain('stream_readers{service="gateway"} 1');
  }, 60_000);

  it('ends their streams as it stops', async () => {
    const { url, stop } = await runStream();
    const readings = await Promise.all([readStream(url + STREAM), readStream(url + STREAM)]);
    await stop();
    expect(await Promise.all(readings.map(({ ended }) => ended))).toEqual([true, true]);
  });

  it('lets no stream into the answer to another request of its connection', async () => {
    const { url } = await runStream();
    const answers = await askRaw(
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

  it('counts none of them as being answered: others are let in beside any number', async () => {
    const { url } = await runStream();
    for (let streams = 0; streams < 1100; streams += 100) {
      await Promise.all(Array.from({ length: 100 }, () => readStream(url + STREAM)));
    }
    expect((await readStream(url + STREAM)).status).toBe(200);
  }, 60_000);

  it('lets nobody in before it follows the log', async () => {
    const { url, hub } = await runStream();
    hub.close();
    const { status, headers } = await ask(url, STREAM);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
  });

  it('tells them when facts may have been missed', async () => {
    const { url, bus, hub } = await runStream();
    const reading = await readStream(url + STREAM);
    await publishSlot(bus, 1);
    await reaches(reading, 1);
    const another = '0123456789abcdef';
    hub.begin(emptyLog(`${another}-9`));
    hub.entry({ position: `${another}-10`, message: messageOfSlot(2) });
    const events = await reaches(reading, 3);
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
