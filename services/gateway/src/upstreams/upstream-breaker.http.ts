import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';

/** How many consecutive failures open the circuit. */
const FAILURES = 5;
/** Time in milliseconds that the circuit stays open before a probe, and between two probes. */
const OPEN_MS = 1000;

export interface UpstreamBreakerOptions {
  isFailure: (error: unknown) => boolean;
  onChange: (isOpen: boolean) => void;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/** A circuit breaker: one request a second probes an open circuit, others are rejected at once. */
export class UpstreamBreaker {
  readonly #policy: CircuitBreakerPolicy;
  readonly #now: () => number;
  #lastProbeMs = 0;
  /** Resolves when a probe gets a response. */
  #probeResult = Promise.withResolvers<unknown>();

  constructor({ isFailure, onChange, now = () => performance.now() }: UpstreamBreakerOptions) {
    const policy = circuitBreaker(
      // In a half-open circuit any other error would count as a success.
      handleWhen((error) => isFailure(error) || policy.state === CircuitState.HalfOpen),
      // cockatiel would compare the wall clock, which may be set back: `execute` applies the interval.
      { breaker: new ConsecutiveBreaker(FAILURES), halfOpenAfter: -Infinity },
    );
    let isOpen = false;
    policy.onBreak(() => {
      this.#lastProbeMs = now();
      // Each failed probe opens it again.
      if (!isOpen) onChange(true);
      isOpen = true;
    });
    policy.onReset(() => {
      isOpen = false;
      onChange(false);
    });
    this.#policy = policy;
    this.#now = now;
  }

  /** @throws BrokenCircuitError when the circuit is open, and as `request` does */
  async execute<Result>(request: () => Promise<Result>): Promise<Result> {
    const { state } = this.#policy;
    if (state === CircuitState.Closed) return this.#policy.execute(request);
    if (this.#now() - this.#lastProbeMs < OPEN_MS) throw new BrokenCircuitError();
    this.#lastProbeMs = this.#now();
    const answer = request();
    if (state === CircuitState.HalfOpen) {
      // cockatiel would wait for the previous probe, which hangs: a response to either closes the circuit.
      const { resolve } = this.#probeResult;
      answer.then(resolve, () => undefined);
      return answer;
    }
    this.#probeResult = Promise.withResolvers();
    const { promise: answered } = this.#probeResult;
    await this.#policy.execute(() => Promise.race([answer, answered]));
    return answer;
  }
}
