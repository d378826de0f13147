import { matchEnded, matchOpened, nowChanged, ratingStored, slotStored, type MessageType } from '@lobbystats/contracts';
import { RepeatedFacts } from '../src/stream/repeated-facts.ts';

const SLOTS = ['2026-01-31T18:00:00Z', '2026-01-31T18:05:00Z', '2026-01-31T18:10:00Z'] as const;

function factsSeen(hasSeriesInstances: boolean) {
  const repeated = new RepeatedFacts({ hasSeriesInstances });
  const slotAt = (index: number) => SLOTS[index]!;
  return (type: MessageType, slot: number, digest = '') =>
    repeated.has({ type: type.key, id: `${type.key}:${slotAt(slot)}:${digest}`, occurredAt: slotAt(slot) });
}

describe('repeated facts', () => {
  it('a fact with a known ID is repeated', () => {
    const isRepeated = factsSeen(false);
    expect(isRepeated(ratingStored, 0)).toBe(false);
    expect(isRepeated(ratingStored, 1)).toBe(false);
    expect(isRepeated(ratingStored, 0)).toBe(true);
  });

  it('the facts of two instances count once, in any interleaving', () => {
    const isRepeated = factsSeen(true);
    expect(isRepeated(matchOpened, 0, 'a')).toBe(false);
    expect(isRepeated(matchOpened, 0, 'a')).toBe(true);
    expect(isRepeated(slotStored, 0)).toBe(false);
    expect(isRepeated(matchEnded, 0, 'b')).toBe(true);
    expect(isRepeated(slotStored, 0)).toBe(true);
    expect(isRepeated(nowChanged, 0)).toBe(false);
    expect(isRepeated(nowChanged, 0)).toBe(true);
  });

  it('an instance that catches up in another order repeats slots, with other matches', () => {
    const isRepeated = factsSeen(true);
    for (const slot of [0, 1, 2]) {
      expect(isRepeated(matchOpened, slot, 'first')).toBe(false);
      expect(isRepeated(slotStored, slot)).toBe(false);
    }
    for (const slot of [2, 0, 1]) {
      expect(isRepeated(matchOpened, slot, 'second')).toBe(true);
      expect(isRepeated(matchEnded, slot, 'second')).toBe(true);
      expect(isRepeated(slotStored, slot)).toBe(true);
    }
  });

  it('an older summary than the newest one is repeated', () => {
    const isRepeated = factsSeen(true);
    expect(isRepeated(nowChanged, 1)).toBe(false);
    expect(isRepeated(nowChanged, 0)).toBe(true);
    expect(isRepeated(nowChanged, 2)).toBe(false);
  });

  it('one instance may correct the matches of a slot', () => {
    const isRepeated = factsSeen(false);
    expect(isRepeated(slotStored, 0)).toBe(false);
    expect(isRepeated(matchEnded, 0, 'corrected')).toBe(false);
  });
});
