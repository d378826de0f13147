import type { Time } from './time.ts';

export function systemTime(clock: () => number): Time {
  return {
    now: clock,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
        function done(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        }
      }),
  };
}
