import type { Readable } from 'node:stream';
import { createHttpClient } from '@lobbystats/service-kit';
import { findingsOf, type Finding } from './finding.ts';

const client = createHttpClient({ timeoutMs: 5000, maxBytes: -1 });
/** `Date` has a resolution of a second. */
const WARNING_SKEW_MS = 2000;
/** The default tolerance for a network's clock. */
const FAULT_SKEW_MS = 5000;

export interface ClockReading {
  readonly aheadMs: number;
  readonly toleranceMs: number;
}

export function clockFinding(name: string, { aheadMs, toleranceMs }: ClockReading): Finding {
  const part = findingsOf(name);
  const off = Math.max(Math.abs(aheadMs) - toleranceMs, 0);
  const says = `clock ${off <= WARNING_SKEW_MS ? 'in sync' : `${(off / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`}`;
  const todo = 'synchronise both machines with NTP: slots and expiry depend on the clock';
  if (off > FAULT_SKEW_MS) return part.fault(says, todo);
  return off > WARNING_SKEW_MS ? part.warning(says, todo) : part.ok(says);
}

export async function probeHttp(
  url: string,
  clock: () => number,
): Promise<{ status: number; reading: ClockReading | undefined }> {
  const sentMs = clock();
  const { status, headers, data } = await client.get<Readable>(url, { responseType: 'stream' });
  data.destroy();
  const receivedMs = clock();
  const dateMs = Date.parse(String(headers['date']));
  if (Number.isNaN(dateMs)) return { status, reading: undefined };
  // Middle of the second named by `Date`.
  const aheadMs = dateMs + 500 - (sentMs + receivedMs) / 2;
  return { status, reading: { aheadMs, toleranceMs: 500 + (receivedMs - sentMs) / 2 } };
}
