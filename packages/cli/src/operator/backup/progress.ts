import type { Terminal } from '@lobbystats/service-kit';

const REPORT_INTERVAL_MS = 2000;

export function createProgressReporter(name: string, terminal: Terminal): (text: () => string) => void {
  let reportedMs = performance.now();
  return (text) => {
    if (performance.now() - reportedMs < REPORT_INTERVAL_MS) return;
    reportedMs = performance.now();
    terminal.error(`${name}: ${text()}\n`);
  };
}
