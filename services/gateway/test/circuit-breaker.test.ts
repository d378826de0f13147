import fc from 'fast-check';
import { CircuitBreaker, type Pass } from '../src/adapters/http/circuit-breaker.ts';

const FAILURES = 3;
const OPEN_MS = 1000;

function breaker() {
  const clock = { now: 0 };
  const changes: boolean[] = [];
  const circuit = new CircuitBreaker({
    failures: FAILURES,
    openMs: OPEN_MS,
    now: () => clock.now,
    onChange: (isOpen) => changes.push(isOpen),
  });
  const enter = (): Pass => {
    const pass = circuit.enter();
    if (pass === undefined) throw new Error('nobody is let through');
    return pass;
  };
  const cut = () => {
    for (let i = 0; i < FAILURES; i += 1) circuit.failed(enter());
  };
  return { circuit, clock, changes, enter, cut };
}

describe('a circuit', () => {
  it('is cut by so many failures on end, and by no fewer', () => {
    const { circuit, changes, enter } = breaker();
    for (let i = 0; i < 10; i += 1) {
      for (let j = 1; j < FAILURES; j += 1) circuit.failed(enter());
      circuit.succeeded();
    }
    expect(changes).toEqual([]);
    for (let i = 0; i < FAILURES; i += 1) circuit.failed(enter());
    expect(changes).toEqual([true]);
    expect(circuit.enter()).toBeUndefined();
  });

  it('lets one through after a while, and all when that one succeeds', () => {
    const { circuit, clock, changes, cut } = breaker();
    cut();
    clock.now += OPEN_MS - 1;
    expect(circuit.enter()).toBeUndefined();
    clock.now += 1;
    expect(circuit.enter()).toMatchObject({ isProbe: true });
    expect(circuit.enter()).toBeUndefined();
    circuit.succeeded();
    expect([circuit.enter()?.isProbe, circuit.enter()?.isProbe]).toEqual([false, false]);
    expect(changes).toEqual([true, false]);
  });

  it('waits again when that one fails, and says nothing of it', () => {
    const { circuit, clock, changes, enter, cut } = breaker();
    cut();
    for (let i = 0; i < 5; i += 1) {
      clock.now += OPEN_MS;
      circuit.failed(enter());
      expect(circuit.enter()).toBeUndefined();
    }
    expect(changes).toEqual([true]);
  });

  it('lets another one through after the same while when that one still waits, and is whole when either succeeds', () => {
    const { circuit, clock, changes, enter, cut } = breaker();
    cut();
    clock.now += OPEN_MS;
    const hanging = enter();
    clock.now += OPEN_MS - 1;
    expect(circuit.enter()).toBeUndefined();
    clock.now += 1;
    expect(enter()).toMatchObject({ isProbe: true });
    circuit.succeeded();
    circuit.failed(hanging);
    expect([circuit.enter()?.isProbe, changes]).toEqual([false, [true, false]]);
  });

  it('lets another one through at once when that one has learned nothing', () => {
    const { circuit, clock, enter, cut } = breaker();
    cut();
    clock.now += OPEN_MS;
    circuit.dropped(enter());
    expect(circuit.enter()).toMatchObject({ isProbe: true });
  });

  it('is whole again after any answer, and failures of before count no longer', () => {
    const { circuit, changes, enter } = breaker();
    const old = Array.from({ length: 10 }, enter);
    for (let i = 0; i < FAILURES; i += 1) circuit.failed(enter());
    circuit.succeeded();
    for (const pass of old) circuit.failed(pass);
    expect(changes).toEqual([true, false]);
    expect(circuit.enter()).toMatchObject({ isProbe: false });
  });

  it('lets through one at a time while it is cut, and always one within its time, whatever happens', () => {
    const steps = fc.array(fc.constantFrom('enter', 'succeed', 'fail', 'drop', 'wait'), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), (happenings, choices) => {
        const { circuit, clock, changes } = breaker();
        const under: Pass[] = [];
        const beganMs = new Map<Pass, number>();
        const happens = {
          wait: () => {
            clock.now += OPEN_MS / 2;
          },
          enter: () => {
            const pass = circuit.enter();
            if (pass !== undefined) {
              under.push(pass);
              beganMs.set(pass, clock.now);
            }
            return pass !== undefined || changes.at(-1) === true;
          },
          end: (tell: (pass: Pass) => void) => {
            const [pass] = under.splice((choices.next().value ?? 0) % under.length, 1);
            if (pass !== undefined) tell(pass);
          },
        };
        for (const happening of happenings) {
          if (happening === 'wait') happens.wait();
          expect(happening !== 'enter' || happens.enter()).toBe(true);
          if (happening === 'succeed') happens.end(() => circuit.succeeded());
          if (happening === 'fail') happens.end((pass) => circuit.failed(pass));
          if (happening === 'drop') happens.end((pass) => circuit.dropped(pass));
          // Those of an era that is over may still be under way.
          const probes = under
            .filter(({ isProbe, era }) => isProbe && era === eraOf(changes))
            .filter((probe) => clock.now - (beganMs.get(probe) ?? 0) < OPEN_MS);
          expect(probes.length).toBeLessThan(2);
        }
        for (const pass of under) circuit.dropped(pass);
        clock.now += OPEN_MS;
        expect(circuit.enter()).toBeDefined();
      }),
    );
  });
});

/** How often it was whole again. */
function eraOf(changes: readonly boolean[]): number {
  return changes.filter((isOpen) => !isOpen).length;
}
