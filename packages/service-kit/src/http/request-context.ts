import type { IncomingMessage } from 'node:http';
import { continueTrace } from '../context/traceparent.ts';
import type { WorkContext } from '../context/work-context.ts';
import { requestIdOf } from './request-id.ts';

/** What the answering of a request is done for. Its trace is made when somebody asks for it: most answers need none. */
export class RequestContext implements WorkContext {
  readonly requestId: string;
  readonly service: string | undefined;
  readonly #parent: string | undefined;
  #traceparent: string | undefined;

  /** @param span the request's own, where spans are recorded, and whose it is */
  constructor({ rawHeaders }: IncomingMessage, span?: Required<Pick<WorkContext, 'service' | 'traceparent'>>) {
    this.requestId = requestIdOf(saidOnce(rawHeaders, 'x-request-id'));
    this.service = span?.service;
    this.#traceparent = span?.traceparent;
    this.#parent = saidOnce(rawHeaders, 'traceparent');
  }

  get traceparent(): string {
    this.#traceparent ??= continueTrace(this.#parent);
    return this.#traceparent;
  }
}

/**
 * A header that is there exactly once, from the list as it came in: making Node's object of all headers costs more.
 *
 * @param wanted in lower case
 */
function saidOnce(rawHeaders: readonly string[], wanted: string): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[i + 1];
  }
  return found;
}
