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
/** How long it stays open before a request may try it, and the time between two tries. */
const OPEN_MS = 1000;

export interface OwnerBreakerOptions {
  isFailure: (error: unknown) => boolean;
  onChange: (isOpen: boolean) => void;
  /** Milliseconds of a clock that is never set back. */
  now?: () => number;
}

/** A circuit breaker: one request a second tries an open circuit, others are refused at once. */
export class OwnerBreaker {
  readonly #policy: CircuitBreakerPolicy;
  readonly #now: () => number;
  #triedMs = 0;
  /** Resolves when a request that tries the circuit has an answer. */
  #answered = Promise.withResolvers<unknown>();

  constructor({ isFailure, onChange, now = () => performance.now() }: OwnerBreakerOptions) {
    const policy = circuitBreaker(
      // In a half-open circuit any other error would count as a success.
      handleWhen((error) => isFailure(error) || policy.state === CircuitState.HalfOpen),
      // At once: cockatiel would compare the wall clock, which may be set back. `execute` has the interval.
      { breaker: new ConsecutiveBreaker(FAILURES), halfOpenAfter: -Infinity },
    );
    let isOpen = false;
    policy.onBreak(() => {
      this.#triedMs = now();
      // Each failed try opens it anew.
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
    if (this.#now() - this.#triedMs < OPEN_MS) throw new BrokenCircuitError();
    this.#triedMs = this.#now();
    const answer = request();
    if (state === CircuitState.HalfOpen) {
      // cockatiel would wait for the request before, which hangs: an answer to either closes the circuit.
      const { resolve } = this.#answered;
      answer.then(resolve, () => undefined);
      return answer;
    }
    this.#answered = Promise.withResolvers();
    const { promise: answered } = this.#answered;
    await this.#policy.execute(() => Promise.race([answer, answered]));
    return answer;
  }
}
