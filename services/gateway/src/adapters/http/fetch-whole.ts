import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** An answer that has come in to its last byte. */
export interface WholeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Asks over a dispatcher itself: no stream is made, and the deadline also ends the wait for a connection, during which
 * `request` does not heed its signal.
 *
 * @param timeoutMs from now, the wait for a connection included, to the last byte
 * @throws Error when no whole answer has come by then
 */
export function fetchWhole(
  dispatcher: Dispatcher,
  request: Pick<Dispatcher.DispatchOptions, 'method' | 'path'> & {
    headers: Record<string, string>;
    body?: string | Buffer;
  },
  timeoutMs: number,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let late: Error | undefined;
    const answer: Omit<WholeAnswer, 'body'> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    const deadline = setTimeout(() => {
      late = new Error(`no whole answer within ${timeoutMs} ms`);
      reject(late);
      controller?.abort(late);
    }, timeoutMs);

    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        if (late !== undefined) started.abort(late);
      },
      onResponseStart: (_controller, status, headers) => {
        answer.status = status;
        answer.headers = headers;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        clearTimeout(deadline);
        resolve({ ...answer, body: Buffer.concat(chunks) });
      },
      onResponseError: (_controller, error) => {
        clearTimeout(deadline);
        reject(error);
      },
    });
  });
}
