import type { ServiceName } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { beginCall } from '@lobbystats/service-kit';
import {
  unavailable,
  type Along,
  type Asker,
  type LargeAnswer,
  type OwnedOperation,
  type OwnerAnswer,
  type Owners,
  type Values,
} from '../../domain/owners.ts';
import type { AnswerUnderWay, AskedRequest, WholeAnswer } from './fetch-answer.ts';
import { isOfType, isWholeOfType } from './media-type.ts';
import type { OwnerHooks } from './owner-hooks.ts';
import { OwnerLine, type Question } from './owner-line.ts';
import { ownerPath } from './owner-path.ts';
import { ownerRefusal } from './owner-refusal.ts';

export interface UndiciOwnersOptions {
  urls: Partial<Record<ServiceName, string>>;
  timeoutMs: number;
  maxBytes: number;
  /** Request id and trace. */
  headers: () => Record<string, string>;
  hooks?: OwnerHooks;
  /** In bytes. Default: 1 MiB. */
  largeBytes?: number;
  /** Default: a minute. */
  streamMs?: number;
}

const LARGE_BYTES = 1024 * 1024;
const STREAM_MS = 60_000;
const NO_HOOKS: OwnerHooks = { became: () => undefined, circuitChanged: () => undefined };

type Way = Pick<Question, 'timeoutMs' | 'streamedFrom'>;

export class UndiciOwners implements Owners {
  readonly #lines = new Map<ServiceName, OwnerLine>();
  readonly #options: UndiciOwnersOptions;

  constructor(options: UndiciOwnersOptions) {
    this.#options = options;
    const { timeoutMs, maxBytes, hooks = NO_HOOKS, streamMs = STREAM_MS } = options;
    for (const [owner, url] of Object.entries(options.urls) as [ServiceName, string][]) {
      this.#lines.set(owner, new OwnerLine({ owner, url, timeoutMs, maxBytes, streamMs, hooks }));
    }
  }

  async ask(operation: OwnedOperation, params: Values, query: Values, along: Along = {}): Promise<OwnerAnswer> {
    return this.#askWhole(this.#options.timeoutMs, operation, ownerPath(operation, params, query), along);
  }

  async open(
    operation: OwnedOperation,
    params: Values,
    query: Values,
    along: Along = {},
  ): Promise<OwnerAnswer | LargeAnswer> {
    const { timeoutMs, largeBytes: streamedFrom = LARGE_BYTES } = this.#options;
    const path = ownerPath(operation, params, query);
    const answer = await this.#fetch({ timeoutMs, streamedFrom }, operation, path, along);
    return 'incoming' in answer ? large(operation, answer) : whole(operation, answer);
  }

  together(): Asker {
    const end = performance.now() + this.#options.timeoutMs;
    return {
      ask: async (operation, params, query, along = {}) => {
        const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
        return this.#askWhole(timeoutMs, operation, ownerPath(operation, params, query), along);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#lines.values(), (line) => line.close()));
  }

  async #askWhole(timeoutMs: number, operation: OwnedOperation, path: string, along: Along): Promise<OwnerAnswer> {
    const answer = await this.#fetch({ timeoutMs }, operation, path, along);
    if ('incoming' in answer) throw new Error('an answer that was to be whole is under way');
    return whole(operation, answer);
  }

  async #fetch(way: Way, operation: OwnedOperation, path: string, along: Along): Promise<WholeAnswer | AnswerUnderWay> {
    const { owner, id, session } = operation;
    const line = this.#lines.get(owner);
    if (line === undefined) throw new Error(`no address for ${owner}`);
    const request = this.#requestOf(operation, line.basePath + path, along);
    const hasSession = along.sessionKey !== undefined || session === 'required';
    const call = beginCall({ to: owner, method: request.method, route: operation.path });
    if (call !== undefined) request.headers['traceparent'] = call.traceparent;
    try {
      const answer = await line.ask({ ...way, request, hasSession, isSafe: session !== 'required' });
      call?.answered(answer.status);
      return answer;
    } catch (cause) {
      call?.failed(cause);
      if (cause instanceof AppError) throw cause;
      throw unavailable(new Error(`${owner} gave no answer to ${id}`, { cause }));
    }
  }

  #requestOf({ method }: OwnedOperation, path: string, { sessionKey, body, method: asked }: Along): AskedRequest {
    const headers = this.#options.headers();
    if (sessionKey !== undefined) headers['x-session-key'] = sessionKey;
    if (body === undefined) return { method: asked ?? method, path, headers };
    headers['content-type'] = 'application/json';
    return { method: asked ?? method, path, headers, body: Buffer.isBuffer(body) ? body : JSON.stringify(body) };
  }
}

/** @throws AppError, HttpProblem: see `Asker` */
function whole(operation: OwnedOperation, answer: WholeAnswer): OwnerAnswer {
  const { status, headers, body } = answer;
  if (status === 200 && isWholeOfType(answer, operation.mediaType)) {
    return { body, etag: headers.etag, lastModified: headers['last-modified'], link: text(headers['link']) };
  }
  throw ownerRefusal(operation, answer) ?? unusable(operation, status);
}

function large(operation: OwnedOperation, { status, headers, incoming, length }: AnswerUnderWay): LargeAnswer {
  if (!isOfType(headers, operation.mediaType)) {
    incoming.destroy();
    throw unusable(operation, status);
  }
  return {
    chunks: incoming,
    length,
    etag: headers.etag,
    lastModified: headers['last-modified'],
    link: text(headers['link']),
    discard: () => {
      incoming.destroy();
    },
  };
}

function unusable({ owner, id }: OwnedOperation, status: number): Error {
  return unavailable(new Error(`${owner} answered ${id} with ${status} and nothing of its kind`));
}

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
