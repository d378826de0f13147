import { once } from 'node:events';
import { request as requestPlainly, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';

/** A request that has come in whole. */
export interface Question {
  method: string;
  /** Path and query, as they came. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What of a question InfluxDB is told beside the body: who asks, in which language, and what the answer is to be like. */
const TOLD = ['authorization', 'content-type', 'accept', 'accept-encoding', 'user-agent'] as const;

/**
 * Asks an InfluxDB what somebody has asked, word by word; resolves when its answer begins.
 *
 * @throws what the network does, or the signal's abortion
 */
export async function askInflux(
  influxUrl: string,
  { method, url, headers, body }: Question,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = influxUrl.startsWith('https:') ? requestSecurely : requestPlainly;
  const told = TOLD.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  const options = {
    method,
    headers: { ...Object.fromEntries(told), 'content-length': body.length },
    // A connection each: on a kept one a question could meet its end.
    agent: false as const,
    signal,
  };
  const asked = request(influxUrl + url, options);
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

const PING_MS = 1500;

/** Rejects where an InfluxDB doesn't answer. */
export async function pingInflux(influxUrl: string): Promise<void> {
  const ping = { method: 'GET', url: '/ping', headers: {}, body: Buffer.alloc(0) };
  const answer = await askInflux(influxUrl, ping, AbortSignal.timeout(PING_MS));
  answer.resume();
  if (answer.statusCode !== 204) throw new Error(`a ping is answered with ${answer.statusCode}`);
}
