import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
  type IBackoff,
} from 'cockatiel';

/** How many consecutive failures open the circuit. */
const FAILURES = 5;
/** How long it stays open before a request may try it. */
const OPEN_MS = 1000;

export interface OwnerBreakerOptions {
  /** Whether an error counts as a failure of the service that was asked. */
  isFailure: (error: unknown) => boolean;
  /** Called when the circuit opens, and when it closes again. */
  onChange: (isOpen: boolean) => void;
  /** Milliseconds of a clock that is never set back. */
  now?: () => number;
}

/** A circuit breaker: one request at a time, at most one a second, tries an open circuit; others are refused at once. */
export class OwnerBreaker {
  readonly #policy: CircuitBreakerPolicy;

  constructor({ isFailure, onChange, now = () => performance.now() }: OwnerBreakerOptions) {
    const policy = circuitBreaker(
      // In a half-open circuit any other error would count as a success.
      handleWhen((error) => isFailure(error) || policy.state === CircuitState.HalfOpen),
      { breaker: new ConsecutiveBreaker(FAILURES), halfOpenAfter: new MonotonicBackoff(now) },
    );
    let isOpen = false;
    policy.onBreak(() => {
      // Each failed try opens it anew.
      if (!isOpen) onChange(true);
      isOpen = true;
    });
    policy.onReset(() => {
      isOpen = false;
      onChange(false);
    });
    this.#policy = policy;
  }

  /** @throws BrokenCircuitError when the circuit is open, and as `request` does */
  async execute<Result>(request: () => Promise<Result>): Promise<Result> {
    // cockatiel would queue further requests behind the one that tries a half-open circuit.
    if (this.#policy.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return this.#policy.execute(request);
  }
}

/** cockatiel compares a backoff with the wall clock: set back by an hour, it would keep the circuit open for an hour. */
class MonotonicBackoff implements IBackoff<unknown> {
  readonly #now: () => number;
  readonly #begunMs: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#begunMs = now();
  }

  get duration(): number {
    return this.#now() - this.#begunMs < OPEN_MS ? Infinity : -Infinity;
  }

  next(): MonotonicBackoff {
    return new MonotonicBackoff(this.#now);
  }
}
