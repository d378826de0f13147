import { createFailureSampler } from '../src/telemetry/failure-sampler.ts';

describe('createFailureSampler', () => {
  it('accepts three failures of each kind in five minutes', () => {
    const clock = { nowMs: 0 };
    const isLogged = createFailureSampler(() => clock.nowMs);
    const logged = (kind: string, times: number) => Array.from({ length: times }, () => isLogged(kind)).filter(Boolean);
    expect(logged('home quiet', 1000)).toHaveLength(3);
    expect(logged('game quiet', 2)).toHaveLength(2);
    clock.nowMs = 299_999;
    expect(logged('home quiet', 1)).toHaveLength(0);
    clock.nowMs = 300_000;
    expect(logged('home quiet', 1000)).toHaveLength(3);
  });
});
