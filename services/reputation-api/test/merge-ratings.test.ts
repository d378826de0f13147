import { commentHidden, ratingStored, USERS_PER_FACT, type PendingFact } from '@lobbystats/contracts';
import { OutboxRelay, type MessageBus } from '@lobbystats/service-kit/bus';
import { silentLogger } from '@lobbystats/service-kit';
import { mergeRatings } from '../src/ratings/merge-ratings.ts';

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
  it('of one profile are one fact with the last totals and all raters', () => {
    const merged = mergeRatings([
      ratedFact(1, 'EmberFox', { Wren: 1 }),
      ratedFact(2, 'Marlow', { Wren: 2 }),
      hidden(3),
      ratedFact(4, 'EmberFox', { Third: 7 }),
      ratedFact(5, 'EMBERFOX', {}),
      ratedFact(6, 'EmberFox', { Wren: 3 }),
    ]);
    expect(merged).toEqual([
      { fact: ratedFact(2, 'Marlow', { Wren: 2 }), places: [2] },
      { fact: hidden(3), places: [3] },
      { fact: ratedFact(6, 'EmberFox', { Wren: 3, Third: 7 }), places: [1, 4, 5, 6] },
    ]);
  });

  it('have no more raters than a message may, and lose none', () => {
    const count = USERS_PER_FACT + 10;
    const facts = Array.from({ length: count }, (_, index) => ratedFact(index + 1, 'EmberFox', { [`r${index}`]: 1 }));
    const merged = mergeRatings(facts);
    const raters = merged.map(({ fact: { data } }) => ratingStored.data.parse(data).raters.length);
    expect(raters).toEqual([USERS_PER_FACT, 10]);
    expect(merged.flatMap(({ places }) => places)).toEqual(facts.map(({ place }) => place));
  });

  it('leave the outbox together once one is published, however often one account writes', async () => {
    let waiting = Array.from({ length: 1500 }, (_, index) => ratedFact(index + 1, 'EmberFox', { Wren: 1 }));
    const published: (string | undefined)[] = [];
    const publish: MessageBus['publish'] = async (_type, _data, options) => {
      published.push(options?.id);
      if (published.length === 1) throw new Error('away');
    };
    const relay = new OutboxRelay({
      outbox: {
        pending: async (limit) => waiting.slice(0, limit),
        remove: async (places) => void (waiting = waiting.filter(({ place }) => !places.includes(place))),
        backlog: async () => waiting.length,
      },
      ...{
        bus: { publish } as MessageBus,
        logger: silentLogger(),
        merge: mergeRatings,
      },
    });
    relay.wake();
    await new Promise(setImmediate);
    expect([relay.backlog.waiting, waiting.length]).toEqual([1500, 1500]);
    relay.wake();
    await new Promise(setImmediate);
    expect([relay.backlog.waiting, waiting.length]).toEqual([0, 0]);
    expect(published).toEqual(['rated 1500', 'rated 1500']);
    await relay.stop();
  });
});
