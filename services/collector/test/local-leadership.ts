import type { Leadership, Replica } from '@lobbystats/service-kit/bus';
import { createPageReader, type SourceRequest } from '../src/sources/client/page-reader.http.ts';
import {
  createRateLimitedClient,
  type RateLimitedClient,
  type RateLimitedClientParts,
} from '../src/sources/client/rate-limited-client.http.ts';
import { requestQueue } from '../src/sources/client/request-queue.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** Leads alone. Jobs and results pass as JSON, as between replicas. */
function localLeadership(work: Replica['work'], signal = new AbortController().signal): Leadership {
  return {
    signal,
    expectLeading: () => undefined,
    ready: () => Promise.resolve(),
    ask: async (job, turn) => {
      await turn();
      return copyOf(await work(copyOf(job), signal));
    },
  };
}

function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

interface LocalClientParts
  extends
    Pick<RateLimitedClientParts, 'http' | 'forms' | 'time'>,
    Partial<Omit<RateLimitedClientParts, 'http' | 'forms' | 'time'>> {}

/** A client of a collector that is alone. */
export function localClient(parts: LocalClientParts): RateLimitedClient {
  const { http, forms, time } = parts;
  const read = createPageReader({ http, forms, now: () => time.now() });
  const leadership = localLeadership((job, signal) => read(job as SourceRequest, signal));
  return createRateLimitedClient({
    publicHttp: http,
    leadership,
    queue: requestQueue({ perSecond: () => 1000, signal: leadership.signal }),
    quiet: { load: () => Promise.resolve(0), store: () => Promise.resolve() },
    telemetry: silentTelemetry,
    ...parts,
  });
}
