import { HttpError, InfluxDB, type SendOptions } from '@influxdata/influxdb-client';
import { AppError, RefusalError } from '@lobbystats/errors';

/** An InfluxDB, and a token by which it is asked. */
export interface AskedInflux {
  /** `http(s)://host:port`. */
  url: string;
  token: string;
  /** What an operator knows the token as. */
  tokenName?: string;
}

export interface AdminRequest<T> {
  /** For the operator, such as "to make a bucket". */
  what: string;
  /** How long it may take. */
  withinMs?: number;
  ask: (influx: InfluxDB, options: RequestSettings) => Promise<T>;
}

/** What the APIs' calls are given. Their type lacks the signal, which their transport obeys. */
type RequestSettings = Pick<SendOptions, 'headers' | 'signal'>;

const REQUEST_MS = 10_000;

/**
 * Makes one request of an operator's, such as to the management API.
 *
 * @throws AppError `unavailable` when the server is away or fails; RefusalError when it refuses, in words for the operator
 */
export async function adminRequest<T>(
  { url, token, tokenName = 'token' }: AskedInflux,
  { what, withinMs = REQUEST_MS, ask }: AdminRequest<T>,
): Promise<T> {
  const { host } = new URL(url);
  try {
    // The signal is the time limit: the client's own leaves the connection open.
    return await ask(new InfluxDB({ url, token, timeout: 0 }), { signal: AbortSignal.timeout(withinMs) });
  } catch (error) {
    if (!(error instanceof HttpError)) {
      throw new AppError('unavailable', `InfluxDB at ${host} can't be reached`, { cause: error });
    }
    const { statusCode: status } = error;
    if (status === 429 || status >= 500) throw new AppError('unavailable', `InfluxDB at ${host} answered ${status}`);
    if (status === 401) throw new RefusalError(`InfluxDB at ${host} doesn't know the ${tokenName} (401)`);
    throw new RefusalError(`InfluxDB at ${host} refused ${what}: ${status} ${error.message.slice(0, 300)}`, {
      cause: error,
    });
  }
}
