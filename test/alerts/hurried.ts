const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
/** Shorter ones would see too few scrapes, and too few health checks. */
const WINDOW_AT_LEAST = 60;
const FOR_AT_LEAST = 10;
const SCRAPES_SECONDS = 5;

/**
 * Rules, or the configuration, of a Prometheus that needs a part of the time: it looks back less far, waits less long and measures
 * more often. Expressions, limits and labels are as they were: what is compared with seconds stays as long as it is.
 *
 * @param times how many times as fast
 */
export function hurried(yaml: string, times: number): string {
  const shorter = (amount: string, unit: string, atLeast: number) => {
    const seconds = Number(amount) * (UNIT_SECONDS[unit] ?? 1);
    return `${Math.min(seconds, Math.max(atLeast, Math.round(seconds / times)))}s`;
  };
  return yaml
    .replace(/\[(\d+)([smh])\]/g, (_, amount: string, unit: string) => `[${shorter(amount, unit, WINDOW_AT_LEAST)}]`)
    .replace(
      /offset (\d+)([smh])/g,
      (_, amount: string, unit: string) => `offset ${shorter(amount, unit, WINDOW_AT_LEAST)}`,
    )
    .replace(/for: (\d+)([smh])/g, (_, amount: string, unit: string) => `for: ${shorter(amount, unit, FOR_AT_LEAST)}`)
    .replace(/(scrape_interval|scrape_timeout|evaluation_interval|refresh_interval): \w+/g, `$1: ${SCRAPES_SECONDS}s`);
}
