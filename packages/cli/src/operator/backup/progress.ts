import type { PointCounts } from '@lobbystats/series-api/admin';
import type { Terminal } from '@lobbystats/service-kit';

const REPORT_INTERVAL_MS = 2000;

/** How much of a work is done, as text. The whole may be an estimate. */
export function percentOf(done: number, total: number): string {
  return `${Math.min(100, Math.floor((100 * done) / Math.max(total, 1)))} %`;
}

/** The share of points by their fields, which are what is counted. */
export function percentOfPoints(done: PointCounts, total: PointCounts): string {
  return percentOf(sumOf(done), sumOf(total));
}

function sumOf(counts: PointCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function createProgressReporter(name: string, terminal: Terminal): (text: () => string) => void {
  let reportedMs = performance.now();
  return (text) => {
    if (performance.now() - reportedMs < REPORT_INTERVAL_MS) return;
    reportedMs = performance.now();
    terminal.error(`${name}: ${text()}\n`);
  };
}
