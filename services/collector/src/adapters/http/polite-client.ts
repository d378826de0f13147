import { messageOf } from '@lobbystats/errors';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { PageFailure, PageNotUnderstoodError } from '../../domain/page-failures.ts';
import type { Telemetry } from '../../domain/telemetry.ts';
import type { Time } from '../../domain/time.ts';
import { PRIORITIES, type RequestQueue, type Urgency } from './request-queue.ts';
import { retryAfterMs } from './retry-after.ts';

export interface Answer {
  status: number;
  header: (name: string) => string | undefined;
  body: Buffer;
}

interface AnswerLimits {
  timeoutMs: number;
  maxBytes: number;
}

/** Sends requests to the network within the rate limit, and none while a `Retry-After` is in effect. */
export interface PoliteClient {
  /**
   * Resolves when a request may be sent. Rejects with a PageFailure `late` or `quiet` when that will not be in time.
   *
   * @param urgency before or behind others that wait
   */
  turn(deadlineMs: number, urgency?: Urgency): Promise<void>;
  /**
   * Sends a GET at once. Rejects with a PageFailure `unavailable` when no whole answer came, with a final
   * PageNotUnderstoodError when it is longer than `maxBytes`, decompressed.
   */
  get(url: string, headers: Record<string, string>, limits: AnswerLimits): Promise<Answer>;
}

export interface PoliteClientParts {
  client: AxiosInstance;
  queue: RequestQueue;
  telemetry: Telemetry;
  time: Time;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

export function createPoliteClient({ client, queue, telemetry, time, stopping }: PoliteClientParts): PoliteClient {
  let quietUntilMs = 0;

  return {
    async turn(deadlineMs, urgency = 'usual') {
      const beganMs = time.now();
      const isWanted = () => !stopping.aborted && time.now() < deadlineMs && quietUntilMs < deadlineMs;
      for (let isMine = false; !isMine || quietUntilMs > time.now();) {
        if (quietUntilMs >= deadlineMs) throw new PageFailure('quiet', 'The network asks to be left alone for longer');
        if (quietUntilMs > time.now()) await time.sleep(quietUntilMs - time.now(), stopping);
        isMine = await queue.add(isWanted, { priority: PRIORITIES[urgency], signal: stopping }).catch(() => false);
        if (!isMine && quietUntilMs < deadlineMs) throw new PageFailure('late', 'The time to ask for it is over');
      }
      telemetry.requested(Math.max(0, time.now() - beganMs));
    },

    async get(url, headers, { timeoutMs, maxBytes }) {
      const answer = await client
        .get<Buffer>(url, {
          headers,
          responseType: 'arraybuffer',
          timeout: timeoutMs,
          maxContentLength: maxBytes,
          signal: stopping,
        })
        .catch((error: unknown) => {
          if (stopping.aborted) throw new PageFailure('late', 'The collector stops', { cause: error });
          if (isTooLong(error)) {
            throw new PageNotUnderstoodError(`it is longer than ${maxBytes} bytes`, { isFinal: true });
          }
          throw new PageFailure('unavailable', `No whole answer came: ${messageOf(error)}`, { cause: error });
        });
      noteQuiet(answer);
      return { status: answer.status, header: (name) => headerOf(answer, name), body: answer.data };
    },
  };

  function noteQuiet(answer: AxiosResponse): void {
    if (answer.status !== 429 && answer.status !== 503) return;
    const waitMs = retryAfterMs(headerOf(answer, 'retry-after'), time.now());
    if (waitMs !== undefined) quietUntilMs = Math.max(quietUntilMs, time.now() + waitMs);
  }
}

/** axios has no code of its own for this: it stops reading there, whatever the compressed length was. */
function isTooLong(error: unknown): boolean {
  return messageOf(error).startsWith('maxContentLength size of ');
}

function headerOf(answer: AxiosResponse, name: string): string | undefined {
  const value: unknown = answer.headers[name];
  return typeof value === 'string' ? value : undefined;
}
