import { pageRequested, titleObserved } from '@lobbystats/contracts';
import { context } from '../../src/context/work-context.ts';
import { MAX_BODY_BYTES } from '../../src/bus/index.ts';
import type { BusFixture, CreateFixture } from './bus-fixture.ts';
import { Recorder } from './recorder.ts';
import { ORIGIN, page, pageConsumer, publishPage, QUEUE, TRACEPARENT } from './samples.ts';
import type { Message } from '@lobbystats/contracts';

export function publishingContract(createFixture: CreateFixture): void {
  describe('publishing', () => {
    let fixture: BusFixture;
    beforeEach(async () => {
      fixture = await createFixture();
    });
    afterEach(() => fixture.remove());

    it('publish resolves once the message is in its queue, and in no other', async () => {
      const bus = await fixture.open();
      await publishPage(bus, 7);
      expect(await bus.depth(QUEUE)).toBe(1);
      expect(await bus.depth('catalog-api')).toBe(0);
    });

    it('carries the envelope from the publisher to the handler', async () => {
      const bus = await fixture.open();
      const seen = new Recorder<Message>();
      await bus.consume(pageConsumer((_number, message) => seen.add(message)));
      await context.run({ traceparent: TRACEPARENT }, () =>
        bus.publish(pageRequested, page(7), { id: 'one', occurredAt: 1_769_882_700, past: true }),
      );
      expect(await seen.waitForCount(1)).toEqual([
        {
          id: 'one',
          type: 'page.requested',
          version: 1,
          occurredAt: '2026-01-31T18:05:00Z',
          origin: ORIGIN,
          past: true,
          traceparent: TRACEPARENT,
          data: page(7),
        },
      ]);
    });

    it('publish fills in a missing id, time and trace context', async () => {
      const bus = await fixture.open({ clock: () => Date.UTC(2026, 0, 31, 18, 7, 9, 999) });
      const seen = new Recorder<Message>();
      await bus.consume(pageConsumer((_number, message) => seen.add(message)));
      await publishPage(bus, 1);
      await publishPage(bus, 2);
      const [first, second] = await seen.waitForCount(2);
      expect(first).toMatchObject({ occurredAt: '2026-01-31T18:07:09Z', past: false });
      expect(first!.id).not.toBe(second!.id);
      expect(first!.traceparent).not.toBe(second!.traceparent);
    });

    it('a handler receives the data as parsed by the schema', async () => {
      const bus = await fixture.open();
      const seen = new Recorder<Message>();
      await bus.consume(pageConsumer((_number, message) => seen.add(message)));
      await bus.publish(pageRequested, { ...page(1), titleId: 'ABCDEF01' });
      expect((await seen.waitForCount(1))[0]).toMatchObject({ data: { titleId: 'abcdef01' } });
    });

    it.each([
      [
        'data that violates the schema',
        { ...page(1), slot: '2026-01-31T18:05:01Z' },
        {},
        /data\.slot: must be the beginning/,
      ],
      ['data of another message', { seenAt: 'now' }, {}, /data/],
      ['an empty id', page(1), { id: '' }, /envelope\.id/],
      ['an instant that does not exist', page(1), { occurredAt: Number.NaN }, /occurredAt/],
      ['an instant beyond the calendar', page(1), { occurredAt: 1e12 }, /occurredAt/],
      ['an expiry that is not an integer', page(1), { expiresAtMs: 0.5 }, /expiresAtMs/],
    ])('publish rejects %s as invalid', async (_what, data, options, message) => {
      const bus = await fixture.open();
      const publish = bus.publish(pageRequested, data as ReturnType<typeof page>, options);
      await expect(publish).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(message) });
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('publish rejects an unknown message type', async () => {
      const bus = await fixture.open();
      const publish = bus.publish({ ...pageRequested, key: 'page.unwanted' }, page(1));
      await expect(publish).rejects.toMatchObject({ code: 'invalid' });
    });

    it('publish rejects a body above the size limit', async () => {
      const bus = await fixture.open();
      const name = 'x'.repeat(MAX_BODY_BYTES);
      const publish = bus.publish(titleObserved, {
        seenAt: '2026-01-31T18:05:00Z',
        titles: [{ titleId: '4d530064', home: { name, image: '', publisher: '', productCode: '' } }],
      });
      await expect(publish).rejects.toMatchObject({ code: 'invalid' });
      expect(await bus.depth('catalog-api')).toBe(0);
    });

    it('a closed bus rejects publish, consume and check as unavailable', async () => {
      const bus = await fixture.open();
      await bus.close();
      await expect(publishPage(bus, 1)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(bus.consume(pageConsumer(() => undefined))).rejects.toMatchObject({ code: 'unavailable' });
      await expect(bus.check()).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('check resolves while the bus is open', async () => {
      const bus = await fixture.open();
      await expect(bus.check()).resolves.toBeUndefined();
    });
  });
}
