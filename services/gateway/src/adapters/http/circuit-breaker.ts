export interface CircuitBreakerOptions {
  /** How many failures on end cut the circuit. */
  failures: number;
  /** How long nobody is let through then, in milliseconds. */
  openMs: number;
  /** Milliseconds of a clock that is never set back. */
  now: () => number;
  /** Called whenever it is cut, and whenever it is whole again. */
  onChange?: ((isOpen: boolean) => void) | undefined;
}

/** What has been let through; what became of it is told of once. */
export interface Pass {
  /** How often the circuit had been whole again by then. */
  readonly era: number;
  /** Whether this one alone is to show whether the circuit can be whole again. */
  readonly isProbe: boolean;
}

/**
 * Keeps requests from somebody who gives no answers: after so many failures on end nobody is let through for a while, then
 * one, and again one after each such while, until one succeeds. What that one waits for may be the only thing that hangs: the
 * next doesn't wait for its end.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #era = 0;
  #failures = 0;
  /** Undefined while the circuit is whole. */
  #openUntil: number | undefined;
  #probe: Pass | undefined;
  #usual: Pass = { era: 0, isProbe: false };

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  /** Lets one through, or nobody: undefined. */
  enter(): Pass | undefined {
    if (this.#openUntil === undefined) return this.#usual;
    if (this.#options.now() < this.#openUntil) return undefined;
    this.#open();
    this.#probe = { era: this.#era, isProbe: true };
    return this.#probe;
  }

  /** There was an answer: even a late one shows that there are answers. */
  succeeded(): void {
    this.#failures = 0;
    if (this.#openUntil === undefined) return;
    this.#openUntil = undefined;
    this.#probe = undefined;
    this.#era += 1;
    this.#usual = { era: this.#era, isProbe: false };
    this.#options.onChange?.(false);
  }

  /** There was no answer. What began before the circuit was whole again says nothing of how it is now. */
  failed(pass: Pass): void {
    if (pass.era !== this.#era) return;
    if (this.#openUntil === undefined) {
      this.#failures += 1;
      if (this.#failures < this.#options.failures) return;
      this.#open();
      this.#options.onChange?.(true);
    } else if (pass === this.#probe) {
      this.#open();
    }
  }

  /** It ended for reasons that say nothing of who was asked. */
  dropped(pass: Pass): void {
    if (pass !== this.#probe) return;
    this.#probe = undefined;
    this.#openUntil = this.#options.now();
  }

  #open(): void {
    this.#openUntil = this.#options.now() + this.#options.openMs;
    this.#probe = undefined;
  }
}
