export interface FixedClock {
  (): number;
  advance(seconds: number): void;
  set(iso: string): void;
}

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
