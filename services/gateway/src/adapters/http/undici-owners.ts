import type { ServiceName } from '@lobbystats/contracts';
import { Pool } from 'undici';
import {
  unavailable,
  type Along,
  type Asker,
  type OwnedOperation,
  type OwnerAnswer,
  type Owners,
  type Values,
} from '../../domain/owners.ts';
import { fetchWhole, type WholeAnswer } from './fetch-whole.ts';
import { ownerPath } from './owner-path.ts';
import { ownerRefusal } from './owner-refusal.ts';

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
/** The same for questions with a session: far more than an owner lets wait for the auth service, strangers above all. */
const SESSION_CONNECTIONS = 256;

/** Where an owner is asked. */
interface Target {
  basePath: string;
  pool: Pool;
  /** What has a session may wait for the auth service: it has connections of its own, and nobody waits behind it. */
  sessionPool: Pool;
}

/** Owners over HTTP with connections kept alive. */
export class UndiciOwners implements Owners {
  readonly #targets = new Map<ServiceName, Target>();
  readonly #options: UndiciOwnersOptions;

  constructor(options: UndiciOwnersOptions) {
    this.#options = options;
    for (const [owner, url] of Object.entries(options.urls) as [ServiceName, string][]) {
      const { origin, pathname } = new URL(url);
      const basePath = pathname === '/' ? '' : pathname;
      const pool = this.#poolTo(origin, CONNECTIONS);
      this.#targets.set(owner, { basePath, pool, sessionPool: this.#poolTo(origin, SESSION_CONNECTIONS) });
    }
  }

  ask(operation: OwnedOperation, params: Values, query: Values, along: Along = {}): Promise<OwnerAnswer> {
    return this.#askWithin(this.#options.timeoutMs, operation, ownerPath(operation, params, query), along);
  }

  together(): Asker {
    const end = performance.now() + this.#options.timeoutMs;
    return {
      ask: (operation, params, query, along = {}) =>
        this.#askWithin(
          Math.max(1, Math.ceil(end - performance.now())),
          operation,
          ownerPath(operation, params, query),
          along,
        ),
    };
  }

  async close(): Promise<void> {
    const pools = Array.from(this.#targets.values(), ({ pool, sessionPool }) => [pool, sessionPool]).flat();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #askWithin(ms: number, operation: OwnedOperation, path: string, along: Along): Promise<OwnerAnswer> {
    const { owner, id, method, mediaType } = operation;
    const target = this.#targets.get(owner);
    if (target === undefined) throw new Error(`no address for ${owner}`);
    const { sessionKey, body } = along;
    const hasSession = sessionKey !== undefined || operation.session === 'required';
    const request = {
      method: along.method ?? method,
      path: target.basePath + path,
      headers: {
        ...this.#options.headers(),
        ...(sessionKey !== undefined && { 'x-session-key': sessionKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    };
    let answer: WholeAnswer;
    try {
      answer = await fetchWhole(hasSession ? target.sessionPool : target.pool, request, ms);
    } catch (cause) {
      throw unavailable(new Error(`${owner} gave no answer to ${id}`, { cause }));
    }
    const { status, headers } = answer;
    if (status === 200 && isOfType(answer, mediaType)) {
      return { body: answer.body, lastModified: headers['last-modified'], link: text(headers['link']) };
    }
    const refusal = ownerRefusal(operation, answer);
    throw refusal ?? unavailable(new Error(`${owner} answered ${id} with ${status} and nothing of its kind`));
  }

  #poolTo(origin: string, connections: number): Pool {
    return new Pool(origin, {
      connections,
      connectTimeout: this.#options.timeoutMs,
      // The deadline is kept for each request as a whole; these know only its parts, to the second.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: this.#options.maxBytes,
    });
  }
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

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
