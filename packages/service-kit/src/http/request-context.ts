import type { IncomingMessage } from 'node:http';
import { continueTrace } from '../context/traceparent.ts';
import type { WorkContext } from '../context/work-context.ts';
import { requestIdOf } from './request-id.ts';
import { saidOnce } from './said-once.ts';

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
