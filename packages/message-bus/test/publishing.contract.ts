import { pageWanted, titleObserved } from '@lobbystats/contracts';
import { MAX_BODY_BYTES } from '@lobbystats/message-bus';
import type { BusPlace, CreatePlace } from './bus-place.ts';
import { Collected } from './collected.ts';
import { ORIGIN, page, pageConsumer, publishPage, QUEUE, TRACEPARENT } from './samples.ts';
import type { Message } from '@lobbystats/contracts';

export function publishingContract(createPlace: CreatePlace): void {
  describe('publishing', () => {
    let place: BusPlace;
    beforeEach(async () => {
      place = await createPlace();
    });
    afterEach(() => place.remove());

    it('has the message in its queue, and in no other, when publish resolves', async () => {
      const bus = await place.open();
      await publishPage(bus, 7);
      expect(await bus.depth(QUEUE)).toBe(1);
      expect(await bus.depth('catalog-api')).toBe(0);
    });

    it('carries the envelope from the publisher to the handler', async () => {
      const bus = await place.open({ hooks: { traceparent: () => TRACEPARENT } });
      const seen = new Collected<Message>();
      await bus.consume(pageConsumer((_number, message) => seen.add(message)));
      await bus.publish(pageWanted, page(7), { id: 'one', occurredAt: 1_769_882_700, past: true });
      expect(await seen.reaches(1)).toEqual([
        {
          id: 'one',
          type: 'page.wanted',
          version: 1,
          occurredAt: '2026-01-31T18:05:00Z',
          origin: ORIGIN,
          past: true,
          traceparent: TRACEPARENT,
          data: page(7),
        },
      ]);
    });

    it('gives a message what its publisher left open: an id, now, a trace', async () => {
      const bus = await place.open({ clock: () => Date.UTC(2026, 0, 31, 18, 7, 9, 999) });
      const seen = new Collected<Message>();
      await bus.consume(pageConsumer((_number, message) => seen.add(message)));
      await publishPage(bus, 1);
      await publishPage(bus, 2);
      const [first, second] = await seen.reaches(2);
      expect(first).toMatchObject({ occurredAt: '2026-01-31T18:07:09Z', past: false });
      expect(first!.id).not.toBe(second!.id);
      expect(first!.traceparent).not.toBe(second!.traceparent);
    });

    it('hands the data over as the schema reads it', async () => {
      const bus = await place.open();
      const seen = new Collected<Message>();
      await bus.consume(pageConsumer((_number, message) => seen.add(message)));
      await bus.publish(pageWanted, { ...page(1), titleId: 'ABCDEF01' });
      expect((await seen.reaches(1))[0]).toMatchObject({ data: { titleId: 'abcdef01' } });
    });

    it.each([
      ['data off the schema', { ...page(1), slot: '2026-01-31T18:05:01Z' }, {}, /data\.slot: must be the beginning/],
      ['data of another message', { seenAt: 'now' }, {}, /data/],
      ['an empty id', page(1), { id: '' }, /envelope\.id/],
      ['an instant that does not exist', page(1), { occurredAt: Number.NaN }, /occurredAt/],
      ['an instant beyond the calendar', page(1), { occurredAt: 1e12 }, /occurredAt/],
      ['an expiry that is no instant', page(1), { expiresAtMs: 0.5 }, /expiresAtMs/],
    ])('refuses %s as invalid', async (_what, data, options, message) => {
      const bus = await place.open();
      const publish = bus.publish(pageWanted, data as ReturnType<typeof page>, options);
      await expect(publish).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(message) });
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('refuses a type that is not of the table', async () => {
      const bus = await place.open();
      const publish = bus.publish({ ...pageWanted, key: 'page.unwanted' }, page(1));
      await expect(publish).rejects.toMatchObject({ code: 'invalid' });
    });

    it('refuses a body that is too large', async () => {
      const bus = await place.open();
      const name = 'x'.repeat(MAX_BODY_BYTES);
      const publish = bus.publish(titleObserved, {
        seenAt: '2026-01-31T18:05:00Z',
        titles: [{ titleId: '4d530064', home: { name, image: '', publisher: '' } }],
      });
      await expect(publish).rejects.toMatchObject({ code: 'invalid' });
      expect(await bus.depth('catalog-api')).toBe(0);
    });

    it('takes nothing more once it is closed', async () => {
      const bus = await place.open();
      await bus.close();
      await expect(publishPage(bus, 1)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(bus.consume(pageConsumer(() => undefined))).rejects.toMatchObject({ code: 'unavailable' });
      await expect(bus.check()).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('says that it can publish', async () => {
      const bus = await place.open();
      await expect(bus.check()).resolves.toBeUndefined();
    });
  });
}
