import type { Terminal } from '@lobbystats/service-kit';

const EVERY_MS = 2000;

export function progressLines(name: string, terminal: Terminal): (text: () => string) => void {
  let toldMs = performance.now();
  return (text) => {
    if (performance.now() - toldMs < EVERY_MS) return;
    toldMs = performance.now();
    terminal.error(`${name}: ${text()}\n`);
  };
}
