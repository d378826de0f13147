import { createFailureSamples } from '../src/adapters/telemetry/failure-samples.ts';

describe('failures that are logged', () => {
  it('are a few of each kind in five minutes', () => {
    const clock = { nowMs: 0 };
    const isLogged = createFailureSamples(() => clock.nowMs);
    const logged = (kind: string, times: number) => Array.from({ length: times }, () => isLogged(kind)).filter(Boolean);
    expect(logged('home quiet', 1000)).toHaveLength(3);
    expect(logged('game quiet', 2)).toHaveLength(2);
    clock.nowMs = 299_999;
    expect(logged('home quiet', 1)).toHaveLength(0);
    clock.nowMs = 300_000;
    expect(logged('home quiet', 1000)).toHaveLength(3);
  });
});
