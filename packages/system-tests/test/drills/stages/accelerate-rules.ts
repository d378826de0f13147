import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const INFRA = join(import.meta.dirname, '../../../../../infra/prometheus');
/** Windows and waits of the rules are shorter by this factor. */
const ACCELERATION = 5;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
/** Shorter windows would contain too few scrapes and health checks. */
const MIN_WINDOW_SECONDS = 60;
const MIN_FOR_SECONDS = 10;
const SCRAPE_INTERVAL_SECONDS = 5;

/**
 * Accelerates Prometheus rules or configuration: shorter windows and `for` durations, more frequent scrapes.
 * Expressions, thresholds and labels are unchanged.
 *
 * @param times acceleration factor
 */
export function accelerateRules(yaml: string, times: number): string {
  const shorter = (amount: string, unit: string, atLeast: number) => {
    const seconds = Number(amount) * (UNIT_SECONDS[unit] ?? 1);
    return `${Math.min(seconds, Math.max(atLeast, Math.round(seconds / times)))}s`;
  };
  return yaml
    .replace(/\[(\d+)([smh])\]/g, (_, amount: string, unit: string) => `[${shorter(amount, unit, MIN_WINDOW_SECONDS)}]`)
    .replace(
      /offset (\d+)([smh])/g,
      (_, amount: string, unit: string) => `offset ${shorter(amount, unit, MIN_WINDOW_SECONDS)}`,
    )
    .replace(
      /for: (\d+)([smh])/g,
      (_, amount: string, unit: string) => `for: ${shorter(amount, unit, MIN_FOR_SECONDS)}`,
    )
    .replace(
      /(scrape_interval|scrape_timeout|evaluation_interval|refresh_interval): \w+/g,
      `$1: ${SCRAPE_INTERVAL_SECONDS}s`,
    );
}

/** Writes the accelerated configuration to a new, world-readable directory. */
export function acceleratedConfiguration(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-alerts-'));
  mkdirSync(join(directory, 'rules'));
  const rules = readdirSync(join(INFRA, 'rules')).map((file) => join('rules', file));
  for (const file of ['prometheus.yml', ...rules]) {
    writeFileSync(join(directory, file), accelerateRules(readFileSync(join(INFRA, file), 'utf8'), ACCELERATION));
  }
  chmodSync(directory, 0o755);
  return directory;
}
