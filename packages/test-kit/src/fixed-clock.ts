/** A clock that stands still until it is moved. Called, it gives epoch milliseconds, as `Date.now` does. */
export interface FixedClock {
  (): number;
  /** Moves it on, or back. */
  advance(seconds: number): void;
  /** @param iso an instant such as `2026-01-31T18:05:00Z` */
  set(iso: string): void;
}

/** @param iso an instant such as `2026-01-31T18:05:00Z` */
export function fixedClock(iso: string): FixedClock {
  let now = read(iso);
  return Object.assign(() => now, {
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    set: (to: string) => {
      now = read(to);
    },
  });
}

function read(iso: string): number {
  const instant = Date.parse(iso);
  if (Number.isNaN(instant)) throw new Error(`"${iso}" is no instant`);
  return instant;
}
