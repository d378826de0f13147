import fc from 'fast-check';
import {
  lastExpiredOffset,
  trimLog,
  type FactExtent,
  type RetentionLimits,
} from '../../src/bus/in-process/log-retention.ts';
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
  extents: readonly FactExtent[],
  index: number,
  { maxAgeMs, maxBytes, minFacts }: RetentionLimits,
): boolean {
  const fromHere = extents.slice(index);
  const bytes = fromHere.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0);
  return fromHere.length > minFacts && (NOW - extents[index]!.storedAt > maxAgeMs || bytes > maxBytes);
}

describe('log retention', () => {
  it('keeps facts within the age and size limits and the newest minFacts, and drops all others', () => {
    fc.assert(
      fc.property(fc.array(fact, { minLength: 1, maxLength: 40 }), limits, (facts, bounds) => {
        const extents = toExtents(facts);
        const last = lastExpiredOffset(extents, extents.at(-1)!, NOW, bounds) ?? -1;
        expect(extents.map(({ offset }) => offset <= last)).toEqual(
          extents.map((_, index) => isExpired(extents, index, bounds)),
        );
      }),
    );
  });

  it('trims the facts of a journal by age, size and count', async () => {
    const fixture = JournalBusFixture.inMemory();
    const bus = await fixture.open({ clock: () => NOW });
    for (let number = 0; number < 30; number += 1) await publishFact(bus, number);
    const trim = (changes: Partial<RetentionLimits>) => {
      trimLog(fixture.journal, NOW, { maxAgeMs: 1, maxBytes: 1e6, minFacts: 1, ...changes });
      return fixture.journal.logBounds();
    };
    expect(trim({})).toEqual({ oldest: 1, newest: 30 });
    expect(trim({ maxBytes: 0, minFacts: 20 })).toEqual({ oldest: 11, newest: 30 });
    const [{ size }] = fixture.journal.store.all<{ size: number }>(
      'SELECT max(octet_length(body)) AS size FROM fact',
    ) as [{ size: number }];
    expect(trim({ maxBytes: size * 5 })).toEqual({ oldest: 26, newest: 30 });
    expect(trim({ maxAgeMs: -1 })).toEqual({ oldest: 30, newest: 30 });
    await fixture.remove();
  });

  it('runs while facts are published, and keeps the last 1,000 of any age', async () => {
    let now = Date.UTC(2026, 0, 1);
    const fixture = JournalBusFixture.inMemory();
    const bus = await fixture.open({ clock: () => now });
    const publish = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, number) => publishFact(bus, number)));
    await publish(1500);
    now += 7 * 86_400_000 + 1;
    for (let number = 0; number < 3; number += 1) await publish(128);
    expect(fixture.journal.logBounds().newest).toBe(1884);
    expect(fixture.journal.logBounds().oldest).toBe(885);
    await fixture.remove();
  });
});
