import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { atDeadline } from './at-deadline.ts';
import { IncomingBody } from './incoming-body.ts';

interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface WholeAnswer extends AnswerHead {
  readonly body: Buffer;
}

export interface AnswerUnderWay extends AnswerHead {
  readonly incoming: IncomingBody;
  readonly length: number;
}

export type AskedRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path'> & {
  headers: Record<string, string>;
  body?: string | Buffer;
};

export interface FetchLimits {
  timeoutMs: number;
  /** The largest body that is buffered. */
  maxBytes: number;
  streamedFrom?: number;
  streamMs: number;
  /** Asked once a connection is free. Default: true. */
  isWanted?: () => boolean;
}

/**
 * Why there is no answer. `broken`: the connection broke before the head of an answer was complete. `no-time`: no connection was
 * free in time, or there was little time anyway. `unwanted`: `isWanted` said no once there was one. `late`: the deadline
 * passed after the request was sent. `unusable`: anything else.
 */
export type NoAnswerReason = 'broken' | 'no-time' | 'unwanted' | 'late' | 'unusable';

export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Uses `dispatch`: no stream is made for a buffered body, and the deadline covers the wait for a connection, where
 * undici's `request` ignores its signal.
 *
 * @throws NoAnswerError when no whole answer has come by then, or one that is too large
 */
export function fetchAnswer(
  dispatcher: Dispatcher,
  request: AskedRequest,
  limits: FetchLimits,
): Promise<WholeAnswer | AnswerUnderWay> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new AnswerReader(limits, resolve, reject));
  });
}

/** undici's codes for a connection that the other side closed or reset. */
const BROKEN: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #limits: FetchLimits;
  readonly #resolve: (answer: WholeAnswer | AnswerUnderWay) => void;
  readonly #reject: (error: NoAnswerError) => void;
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: AnswerHead | undefined;
  #received = 0;
  #incoming: IncomingBody | undefined;
  #fault: NoAnswerError | undefined;
  #isOver = false;

  constructor(
    limits: FetchLimits,
    resolve: (answer: WholeAnswer | AnswerUnderWay) => void,
    reject: (error: NoAnswerError) => void,
  ) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadline = atDeadline(limits.timeoutMs, () => {
      const reason = this.#controller === undefined ? 'no-time' : 'late';
      if (!this.#isOver) this.#giveUp(new NoAnswerError(reason, `no whole answer within ${limits.timeoutMs} ms`));
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // An error thrown here keeps the connection, which `controller.abort` would close.
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#limits.isWanted?.() === false) throw new NoAnswerError('unwanted', 'the limit is lower by now');
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#head = { status, headers };
    const { streamedFrom = Infinity, streamMs } = this.#limits;
    const length = Number(headers['content-length'] ?? 0);
    if (status !== 200 || length < streamedFrom) return;
    this.#over();
    this.#incoming = new IncomingBody(controller, streamMs);
    this.#resolve({ ...this.#head, incoming: this.#incoming, length });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#incoming !== undefined) {
      this.#incoming.receive(chunk);
      return;
    }
    this.#received += chunk.length;
    const { maxBytes } = this.#limits;
    if (this.#received <= maxBytes) this.#chunks.push(chunk);
    else this.#giveUp(new NoAnswerError('unusable', `an answer of more than ${maxBytes} bytes`));
  }

  onResponseEnd(): void {
    this.#over();
    if (this.#incoming !== undefined) this.#incoming.finish();
    // A copy: a chunk is a slice of the socket's read buffer and would keep all of it alive.
    else if (this.#head !== undefined) this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#over();
    this.#incoming?.destroy(error);
    this.#reject(error instanceof NoAnswerError ? error : this.#noAnswer(error));
  }

  #noAnswer(cause: Error): NoAnswerError {
    const isBroken = this.#head === undefined && BROKEN.has((cause as NodeJS.ErrnoException).code);
    return new NoAnswerError(isBroken ? 'broken' : 'unusable', cause.message, { cause });
  }

  #over(): void {
    this.#isOver = true;
    clearTimeout(this.#deadline);
  }

  #giveUp(fault: NoAnswerError): void {
    this.#over();
    this.#fault ??= fault;
    this.#reject(this.#fault);
    this.#controller?.abort(this.#fault);
  }
}
