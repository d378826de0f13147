import type { Readable } from 'node:stream';
import { createHttpClient } from '@lobbystats/service-kit';
import { partOf, type Finding } from './finding.ts';

const client = createHttpClient({ timeoutMs: 5000, maxBytes: -1 });
/** `Date` has a resolution of a second. */
const FINE_MS = 2000;
/** The default tolerance for a network's clock. */
const FAR_MS = 5000;

export interface ClockReading {
  readonly aheadMs: number;
  readonly withinMs: number;
}

export function clockFinding(name: string, { aheadMs, withinMs }: ClockReading): Finding {
  const part = partOf(name);
  const off = Math.max(Math.abs(aheadMs) - withinMs, 0);
  const says = `its clock is ${off <= FINE_MS ? 'ours' : `${(off / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`}`;
  const todo = 'have both machines keep time by NTP: slots and expiry go by the clock';
  if (off > FAR_MS) return part.fault(says, todo);
  return off > FINE_MS ? part.warning(says, todo) : part.ok(says);
}

export async function askHttp(
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
  return { status, reading: { aheadMs, withinMs: 500 + (receivedMs - sentMs) / 2 } };
}
