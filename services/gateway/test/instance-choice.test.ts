import type { Coverage } from '@lobbystats/contracts';
import { InstanceChoice } from '../src/upstreams/instance-choice.ts';

const stored = (slots: number, days = 30): Coverage => ({ slots, days, registeredDays: days });

function choiceAt(startMs = 0) {
  const clock = { nowMs: startMs };
  const choice = new InstanceChoice(2, () => clock.nowMs);
  /** Reports what both instances have, a second after the last report. */
  const report = (...coverages: (Coverage | undefined)[]) => {
    clock.nowMs += 1000;
    choice.report(coverages);
    return choice.current;
  };
  return { choice, clock, report };
}

describe('choice between two instances', () => {
  it('begins with the first one', () => {
    const { choice } = choiceAt();
    expect(choice.current).toBe(0);
    expect(choice.alternative).toBeUndefined();
  });

  it('stays with the current one while both are complete', () => {
    const { choice, report } = choiceAt();
    expect(report(stored(10), stored(10))).toBe(0);
    expect(choice.alternative).toBe(1);
    report(undefined, stored(10));
    expect(report(stored(10), stored(10))).toBe(1);
    expect(choice.alternative).toBe(0);
  });

  it('changes at the first report without the current one, if the other is complete', () => {
    const { report } = choiceAt();
    report(stored(10), stored(10));
    expect(report(undefined, stored(10))).toBe(1);
  });

  it('begins with the one that has stored more', () => {
    expect(choiceAt().report(stored(9), stored(10))).toBe(1);
    expect(choiceAt().report(stored(10, 29), stored(10, 30))).toBe(1);
    expect(choiceAt().report(stored(0, 0), stored(10))).toBe(1);
  });

  it('a live slot that arrives later at the current one changes nothing', () => {
    const { choice, report } = choiceAt();
    report(stored(10), stored(10));
    expect(report(stored(10), stored(11))).toBe(0);
    expect(choice.alternative).toBe(1);
    expect(report(stored(11), stored(11))).toBe(0);
    expect(report(stored(12), stored(11))).toBe(0);
    expect(choice.alternative).toBe(1);
  });

  it('changes when the current one stays behind', () => {
    const { choice, report } = choiceAt();
    report(stored(10), stored(10));
    const chosen = Array.from({ length: 11 }, () => report(stored(10), stored(11)));
    expect(chosen).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(choice.isComplete(0)).toBe(false);
  });

  it('one that returns with fewer slots serves nothing until it has caught up', () => {
    const { choice, report } = choiceAt();
    report(stored(10), stored(10));
    expect(report(undefined, stored(11))).toBe(1);
    expect(report(stored(10), stored(11))).toBe(1);
    expect(choice.alternative).toBeUndefined();
    expect(report(stored(11), stored(11))).toBe(1);
    expect(choice.alternative).toBe(0);
  });

  it('one with an empty volume serves nothing, though it stores every new slot', () => {
    const { choice, report } = choiceAt();
    report(undefined, stored(100));
    for (let slots = 1; slots < 50; slots += 1) expect(report(stored(slots, 1), stored(100 + slots))).toBe(1);
    expect(choice.alternative).toBeUndefined();
    expect(choice.isComplete(0)).toBe(false);
  });

  it('one with all slots but fewer days is not complete', () => {
    const { choice, report } = choiceAt();
    report(undefined, stored(100, 300));
    report(stored(100, 30), stored(100, 300));
    expect(choice.alternative).toBeUndefined();
  });

  it('a less complete one serves if the other stays away for more than a moment', () => {
    const { report } = choiceAt();
    report(stored(10), stored(8));
    expect(report(undefined, stored(8))).toBe(0);
    expect(report(undefined, stored(8))).toBe(0);
    expect(report(undefined, stored(8))).toBe(0);
    expect(report(undefined, stored(8))).toBe(1);
  });

  it('a more complete one that returns serves at once', () => {
    const { report } = choiceAt();
    report(stored(10), stored(8));
    for (let i = 0; i < 4; i += 1) report(undefined, stored(8));
    expect(report(stored(10), stored(8))).toBe(0);
  });

  it('if each lacks something, the one with more slots serves', () => {
    const { choice, report } = choiceAt();
    expect(report(stored(9, 40), stored(10, 30))).toBe(1);
    expect(choice.alternative).toBeUndefined();
    expect(report(stored(9, 40), stored(10, 30))).toBe(1);
  });

  it('stays if none responds', () => {
    const { choice, report } = choiceAt();
    report(undefined, stored(10));
    expect(choice.current).toBe(1);
    for (let i = 0; i < 10; i += 1) expect(report(undefined, undefined)).toBe(1);
    expect(choice.alternative).toBeUndefined();
    expect(report(stored(10), undefined)).toBe(0);
  });
});
