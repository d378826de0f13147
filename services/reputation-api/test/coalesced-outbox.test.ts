import { commentHidden, ratingStored, USERS_PER_FACT, type Outbox, type PendingFact } from '@lobbystats/contracts';
import { coalescedOutbox } from '../src/ratings/coalesced-outbox.ts';

function outboxOf(facts: readonly PendingFact[]): Outbox {
  let waiting = [...facts];
  return {
    pending: async (limit) => waiting.slice(0, limit),
    remove: async (places) => void (waiting = waiting.filter(({ place }) => !places.includes(place))),
    backlog: async () => waiting.length,
  };
}

function ratedFact(place: number, username: string, raters: Record<string, number>): PendingFact {
  const given = Object.entries(raters).map(([name, ratingsGiven]) => ({ username: name, ratingsGiven }));
  const data = { username, average: place, ratingCount: place, raters: given };
  return { place, type: ratingStored.key, id: `rated ${place}`, occurredAt: 1, past: false, data };
}

const hidden = (place: number): PendingFact => ({
  ...{ place, type: commentHidden.key, id: `hidden ${place}`, occurredAt: 1, past: false },
  data: { raterUsername: 'Wren', username: 'EmberFox' },
});

describe('waiting facts about ratings', () => {
  it('of one profile are one fact with the last totals and all raters', async () => {
    const outbox = coalescedOutbox(
      outboxOf([
        ratedFact(1, 'EmberFox', { Wren: 1 }),
        ratedFact(2, 'Marlow', { Wren: 2 }),
        hidden(3),
        ratedFact(4, 'EmberFox', { Third: 7 }),
        ratedFact(5, 'EMBERFOX', {}),
        ratedFact(6, 'EmberFox', { Wren: 3 }),
      ]),
    );
    const pending = await outbox.pending(10);
    expect(pending).toEqual([
      ratedFact(2, 'Marlow', { Wren: 2 }),
      hidden(3),
      ratedFact(6, 'EmberFox', { Wren: 3, Third: 7 }),
    ]);
    await outbox.remove([2, 3]);
    expect((await outbox.pending(10)).map(({ place }) => place)).toEqual([6]);
    await outbox.remove([6]);
    expect(await outbox.backlog()).toBe(0);
  });

  it('are a few facts however often one account writes', async () => {
    const facts = Array.from({ length: 1500 }, (_, index) => ratedFact(index + 1, 'EmberFox', { Wren: 1 }));
    const outbox = coalescedOutbox(outboxOf(facts));
    expect((await outbox.pending(32)).map(({ id }) => id)).toEqual(['rated 1500']);
  });

  it('have no more raters than a message may, and lose none', async () => {
    const count = USERS_PER_FACT + 10;
    const facts = Array.from({ length: count }, (_, index) => ratedFact(index + 1, 'EmberFox', { [`r${index}`]: 1 }));
    const outbox = coalescedOutbox(outboxOf(facts));
    const pending = await outbox.pending(32);
    const raters = pending.map(({ data }) => ratingStored.data.parse(data).raters.length);
    expect(raters).toEqual([USERS_PER_FACT, 10]);
    await outbox.remove(pending.map(({ place }) => place));
    expect(await outbox.backlog()).toBe(0);
  });

  it('that could not be published are published again', async () => {
    const outbox = coalescedOutbox(outboxOf([ratedFact(1, 'EmberFox', { Wren: 1 }), ratedFact(2, 'EmberFox', {})]));
    const first = await outbox.pending(32);
    await outbox.remove([]);
    expect(await outbox.pending(32)).toEqual(first);
  });
});
