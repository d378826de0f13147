import type { ServiceName } from '@lobbystats/contracts';
import { AppError, type ErrorCode } from '@lobbystats/errors';
import { Pool } from 'undici';
import { unavailable, type OwnedOperation, type OwnerAnswer, type Owners, type Values } from '../../domain/owners.ts';
import { fetchWhole, type WholeAnswer } from './fetch-whole.ts';
import { ownerPath } from './owner-path.ts';

export interface UndiciOwnersOptions {
  /** Where each owner listens. */
  urls: Partial<Record<ServiceName, string>>;
  /** How long an owner may take, to the last byte of its answer. */
  timeoutMs: number;
  /** How large an answer may be. */
  maxBytes: number;
  /** Headers that go along: the request's id and trace. */
  headers: () => Record<string, string>;
}

/** Connections to one owner at most; further requests wait for one. */
const CONNECTIONS = 64;

/** The caller's own faults, which the owner's words explain. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = { 400: 'invalid', 404: 'not-found' };

/** Owners over HTTP with connections kept alive. */
export class UndiciOwners implements Owners {
  readonly #pools = new Map<ServiceName, { pool: Pool; basePath: string }>();
  readonly #options: UndiciOwnersOptions;

  constructor(options: UndiciOwnersOptions) {
    this.#options = options;
    for (const [owner, url] of Object.entries(options.urls) as [ServiceName, string][]) {
      const { origin, pathname } = new URL(url);
      const pool = new Pool(origin, {
        connections: CONNECTIONS,
        connectTimeout: options.timeoutMs,
        // The deadline is kept for each request as a whole; these know only its parts, to the second.
        headersTimeout: 0,
        bodyTimeout: 0,
        maxResponseSize: options.maxBytes,
      });
      this.#pools.set(owner, { pool, basePath: pathname === '/' ? '' : pathname });
    }
  }

  async ask(operation: OwnedOperation, params: Values, query: Values, body?: unknown): Promise<OwnerAnswer> {
    const { owner, id, method } = operation;
    const target = this.#pools.get(owner);
    if (target === undefined) throw new Error(`no address for ${owner}`);
    const path = target.basePath + ownerPath(operation, params, query);
    const request = { method, path, headers: this.#options.headers() };
    let answer: WholeAnswer;
    try {
      answer = await fetchWhole(
        target.pool,
        body === undefined ? request : withJson(request, body),
        this.#options.timeoutMs,
      );
    } catch (cause) {
      throw unavailable(new Error(`${owner} gave no answer to ${id}`, { cause }));
    }
    const { status, headers } = answer;
    if (status === 200 && isOfType(answer, operation.mediaType)) {
      return { body: answer.body, lastModified: headers['last-modified'], link: text(headers['link']) };
    }
    throw refusalOf(answer) ?? unavailable(new Error(`${owner} answered ${id} with ${status} and nothing of its kind`));
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#pools.values(), ({ pool }) => pool.destroy()));
  }
}

function withJson<Request extends { headers: Record<string, string> }>(request: Request, body: unknown) {
  return {
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Whether it is what the operation answers with: text of its media type, else JSON. */
function isOfType(answer: WholeAnswer, mediaType: string | undefined): boolean {
  return mediaType === undefined ? isJson(answer) : answer.headers['content-type'] === mediaType;
}

/** Told by its label and its outer brackets: reading all of it would cost more than everything else that is done here. */
function isJson({ headers, body }: WholeAnswer): boolean {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return false;
  const [first, last] = [body.at(0), body.at(-1)];
  return (first === 0x7b && last === 0x7d) || (first === 0x5b && last === 0x5d);
}

function refusalOf({ status, body }: WholeAnswer): AppError | undefined {
  const code = REFUSALS[status];
  if (code === undefined) return undefined;
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: unknown };
    return typeof error === 'string' ? new AppError(code, error) : undefined;
  } catch {
    return undefined;
  }
}

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
