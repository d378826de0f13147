import fc from 'fast-check';
import { lastExpiredOffset, trimLog, type FactExtent, type RetentionLimits } from '../src/in-process/log-retention.ts';
import { JournalBusFixture } from './journal-bus-fixture.ts';
import { publishFact } from './samples.ts';

interface Fact {
  ageMs: number;
  bytes: number;
}

const NOW = 1_000_000;
const fact = fc.record({ ageMs: fc.nat(200), bytes: fc.nat(50) });
const limits = fc.record({ maxAgeMs: fc.nat(150), maxBytes: fc.nat(400), minFacts: fc.integer({ min: 1, max: 10 }) });

/** Extents of facts in a log, the oldest first. */
function toExtents(facts: readonly Fact[]): FactExtent[] {
  let endByte = 77;
  return facts
    .toSorted((a, b) => b.ageMs - a.ageMs)
    .map(({ ageMs, bytes }, index) => {
      const startByte = endByte;
      endByte += bytes;
      return { offset: index + 3, storedAt: NOW - ageMs, startByte, endByte };
    });
}

function isExpired(
  places: readonly FactExtent[],
  index: number,
  { maxAgeMs, maxBytes, minFacts }: RetentionLimits,
): boolean {
  const fromHere = places.slice(index);
  const bytes = fromHere.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0);
  return fromHere.length > minFacts && (NOW - places[index]!.storedAt > maxAgeMs || bytes > maxBytes);
}

describe('log retention', () => {
  it('keeps facts within the age and size limits and the newest minFacts, and drops all others', () => {
    fc.assert(
      fc.property(fc.array(fact, { minLength: 1, maxLength: 40 }), limits, (facts, bounds) => {
        const places = toExtents(facts);
        const last = lastExpiredOffset(places, places.at(-1)!, NOW, bounds) ?? -1;
        expect(places.map(({ offset }) => offset <= last)).toEqual(
          places.map((_, index) => isExpired(places, index, bounds)),
        );
      }),
    );
  });

  it('trims the facts of a journal by age, size and count', async () => {
    const place = JournalBusFixture.inMemory();
    const bus = await place.open({ clock: () => NOW });
    for (let number = 0; number < 30; number += 1) await publishFact(bus, number);
    const trim = (changes: Partial<RetentionLimits>) => {
      trimLog(place.journal, NOW, { maxAgeMs: 1, maxBytes: 1e6, minFacts: 1, ...changes });
      return place.journal.logBounds();
    };
    expect(trim({})).toEqual({ oldest: 1, newest: 30 });
    expect(trim({ maxBytes: 0, minFacts: 20 })).toEqual({ oldest: 11, newest: 30 });
    const [{ size }] = place.journal.store.all<{ size: number }>(
      'SELECT max(octet_length(body)) AS size FROM fact',
    ) as [{ size: number }];
    expect(trim({ maxBytes: size * 5 })).toEqual({ oldest: 26, newest: 30 });
    expect(trim({ maxAgeMs: -1 })).toEqual({ oldest: 30, newest: 30 });
    await place.remove();
  });

  it('runs while facts are published, and keeps the last 1,000 of any age', async () => {
    let now = Date.UTC(2026, 0, 1);
    const place = JournalBusFixture.inMemory();
    const bus = await place.open({ clock: () => now });
    const publish = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, number) => publishFact(bus, number)));
    await publish(1500);
    now += 7 * 86_400_000 + 1;
    for (let number = 0; number < 3; number += 1) await publish(128);
    expect(place.journal.logBounds().newest).toBe(1884);
    expect(place.journal.logBounds().oldest).toBe(885);
    await place.remove();
  });
});
