import { AppError, messageOf, RefusalError } from '@lobbystats/errors';

export interface ManagementOptions {
  /** `http(s)://host:port`; credentials in it count unless the others are given. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

const ANSWER_WITHIN_MS = 15_000;

/** RabbitMQ's management API, as an administrator. Paths are given as their parts, which are encoded here. */
export class ManagementApi {
  readonly #base: string;
  readonly #authorization: string;

  constructor({ url, user, password }: ManagementOptions) {
    const parsed = new URL(url);
    const name = user ?? decodeURIComponent(parsed.username);
    const secret = password ?? decodeURIComponent(parsed.password);
    this.#base = `${parsed.protocol}//${parsed.host}${parsed.pathname.replace(/\/+$/, '')}/api`;
    this.#authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
  }

  /** What is there, or undefined when nothing is. */
  async get(...path: string[]): Promise<unknown> {
    return this.#call('GET', path);
  }

  async put(body: unknown, ...path: string[]): Promise<void> {
    await this.#call('PUT', path, body);
  }

  async post(body: unknown, ...path: string[]): Promise<unknown> {
    return this.#call('POST', path, body);
  }

  async delete(...path: string[]): Promise<void> {
    await this.#call('DELETE', path);
  }

  async #call(method: string, path: readonly string[], body?: unknown): Promise<unknown> {
    const address = [this.#base, ...path.map(encodeURIComponent)].join('/');
    const response = await this.#fetch(method, address, body);
    const text = await response.text();
    if (response.status === 404 && method !== 'POST') return undefined;
    if (response.status === 401) {
      throw new RefusalError(`RabbitMQ's management at ${this.#base} refuses its administrator: check the password`);
    }
    if (response.status >= 500) {
      throw new AppError('unavailable', `RabbitMQ's management at ${this.#base} answers ${response.status}`);
    }
    if (!response.ok) {
      throw new RefusalError(
        `RabbitMQ's management answered ${method} ${path.join('/')} with ${response.status}: ${text.slice(0, 300)}`,
      );
    }
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  async #fetch(method: string, address: string, body: unknown): Promise<Response> {
    try {
      return await fetch(address, {
        method,
        headers: { authorization: this.#authorization, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new AppError(
        'unavailable',
        `RabbitMQ's management at ${this.#base} can't be reached: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
  }
}
