import type { ServiceName } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { Pool, type Dispatcher } from 'undici';
import type { OwnedOperation, OwnerAnswer, Owners, Values } from '../../domain/owners.ts';

export interface UndiciOwnersOptions {
  /** Where each owner listens. */
  urls: Partial<Record<ServiceName, string>>;
  /** How long an owner may take to begin its answer, and between two parts of it. */
  timeoutMs: number;
  /** Headers that go along: the request's id and trace. */
  headers: () => Record<string, string>;
}

/** Owners over HTTP with connections kept alive. */
export class UndiciOwners implements Owners {
  readonly #pools = new Map<ServiceName, Pool>();
  readonly #headers: () => Record<string, string>;

  constructor({ urls, timeoutMs, headers }: UndiciOwnersOptions) {
    this.#headers = headers;
    for (const [owner, url] of Object.entries(urls) as [ServiceName, string][]) {
      const pool = new Pool(url, {
        connections: 64,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        connectTimeout: timeoutMs,
      });
      this.#pools.set(owner, pool);
    }
  }

  async ask(operation: OwnedOperation, params: Values, query: Values): Promise<OwnerAnswer> {
    const pool = this.#pools.get(operation.owner);
    if (pool === undefined) throw new Error(`no address for ${operation.owner}`);
    const path = ownerPath(operation, params, query);
    const { status, headers, body } = await this.#get(pool, path, operation);
    if (status >= 500) throw unavailable(operation, new Error(`${operation.owner} answered ${status}`));
    return { status, body, lastModified: text(headers['last-modified']), link: text(headers['link']) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  async #get(
    pool: Pool,
    path: string,
    operation: OwnedOperation,
  ): Promise<{ status: number; headers: Dispatcher.ResponseData['headers']; body: Buffer }> {
    try {
      const { statusCode, headers, body } = await pool.request({ method: 'GET', path, headers: this.#headers() });
      return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
    } catch (error) {
      throw unavailable(operation, error);
    }
  }
}

function ownerPath(operation: OwnedOperation, params: Values, query: Values): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

function unavailable(operation: OwnedOperation, cause: unknown): AppError {
  return new AppError('unavailable', `The service behind ${operation.id} is not available, try again soon`, { cause });
}
