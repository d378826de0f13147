import type { IncomingHttpHeaders } from 'node:http';
import { BodyBytes } from '@lobbystats/service-kit';
import type { Dispatcher } from 'undici';
import { IncomingBody } from './incoming-body.http.ts';

export interface HttpResponse<Body extends Buffer | IncomingBody = Buffer | IncomingBody> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

export type DispatchRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path'> & {
  headers: Record<string, string>;
  body?: string | Buffer;
};

export interface FetchLimits {
  /** A request that has no connection after half of the time is not sent. */
  timeoutMs: number;
  /** The largest body that is buffered. */
  maxBytes: number;
  /** Length of a body that is streamed. Default: none is. */
  streamedFrom?: number | undefined;
  streamMs: number;
}

/**
 * Why there is no response. `broken`: the connection broke before the response head was complete. `not-sent`: no connection
 * was free in time. `late`: the deadline passed after the request was sent. `too-large`: the response exceeds the limit.
 * `unusable`: anything else.
 */
export type NoResponseReason = 'broken' | 'not-sent' | 'late' | 'too-large' | 'unusable';

export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  readonly reason: NoResponseReason;

  constructor(reason: NoResponseReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Uses `dispatch`: no stream is made for a buffered body, and the deadline covers the wait for a connection, where
 * undici's `request` ignores its signal.
 *
 * @throws NoResponseError when no complete response arrives in time, or one that is too large
 */
export function fetchResponse(
  dispatcher: Dispatcher,
  request: DispatchRequest,
  limits: FetchLimits,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new ResponseReader(limits, resolve, reject));
  });
}

/** undici's codes for a connection that the other side closed or reset. */
const BROKEN: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #limits: FetchLimits;
  readonly #bytes: BodyBytes;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (error: NoResponseError) => void;
  readonly #endMs: number;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<HttpResponse, 'status' | 'headers'> | undefined;
  #incoming: IncomingBody | undefined;
  #fault: NoResponseError | undefined;
  #isDone = false;

  constructor(
    limits: FetchLimits,
    resolve: (response: HttpResponse) => void,
    reject: (error: NoResponseError) => void,
  ) {
    this.#limits = limits;
    this.#bytes = new BodyBytes(limits.maxBytes);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#endMs = performance.now() + limits.timeoutMs;
    this.#timer = this.#expireIn(limits.timeoutMs / 2);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // An error thrown here keeps the connection, which `controller.abort` would close.
    if (this.#fault !== undefined) throw this.#fault;
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#head = { status, headers };
    const { streamedFrom = Infinity, streamMs } = this.#limits;
    const length = Number(headers['content-length'] ?? 0);
    if (status !== 200 || length < streamedFrom) return;
    this.#finish();
    this.#incoming = new IncomingBody(controller, length, streamMs);
    this.#resolve({ ...this.#head, body: this.#incoming });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#incoming !== undefined) this.#incoming.receive(chunk);
    else if (!this.#bytes.append(chunk))
      this.#abort(new NoResponseError('too-large', `a response of more than ${this.#limits.maxBytes} bytes`));
  }

  onResponseEnd(): void {
    this.#finish();
    if (this.#incoming !== undefined) this.#incoming.finish();
    else if (this.#head !== undefined) this.#resolve({ ...this.#head, body: this.#bytes.copy() });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish();
    this.#incoming?.destroy(error);
    const isBroken = this.#head === undefined && BROKEN.has((error as NodeJS.ErrnoException).code);
    this.#reject(this.#fault ?? new NoResponseError(isBroken ? 'broken' : 'unusable', error.message, { cause: error }));
  }

  /** One tick late, so that data which has arrived is read first: a busy process must not report an upstream timeout. */
  #expireIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#expire()), Math.max(1, ms));
  }

  #expire(): void {
    if (this.#isDone) return;
    const wasSent = this.#controller !== undefined;
    const leftMs = this.#endMs - performance.now();
    if (wasSent && leftMs > 0) this.#timer = this.#expireIn(leftMs);
    else this.#abort(new NoResponseError(wasSent ? 'late' : 'not-sent', 'no complete response in time'));
  }

  #abort(fault: NoResponseError): void {
    this.#finish();
    this.#fault = fault;
    this.#reject(fault);
    this.#controller?.abort(fault);
  }

  #finish(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
  }
}
