import type { Terminal } from '@lobbystats/service-kit';

const EVERY_MS = 2000;

/** Tells how far long work is: a line at most every two seconds. */
export function progressLines(name: string, terminal: Terminal): (text: () => string) => void {
  let toldMs = performance.now();
  return (text) => {
    if (performance.now() - toldMs < EVERY_MS) return;
    toldMs = performance.now();
    terminal.error(`${name}: ${text()}\n`);
  };
}
