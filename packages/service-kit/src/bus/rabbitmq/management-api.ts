import { AppError, hasCode, messageOf, StartupError } from '@lobbystats/contracts/errors';
import axios, { type AxiosInstance } from 'axios';
import pRetry from 'p-retry';

export interface ManagementOptions {
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** A busy machine has taken more than 15 s. */
const RESPONSE_TIMEOUT_MS = 30_000;
const MISSING_QUEUE = 'resources_missing';

/** RabbitMQ's management API. All calls are safe to repeat. */
export class ManagementApi {
  readonly #base: string;
  readonly #client: AxiosInstance;

  constructor({ url, user, password }: ManagementOptions) {
    const { protocol, host, pathname, username, password: inUrl } = new URL(url);
    this.#base = `${protocol}//${host}${pathname.replace(/\/+$/, '')}/api`;
    this.#client = axios.create({
      baseURL: this.#base,
      auth: { username: user ?? decodeURIComponent(username), password: password ?? decodeURIComponent(inUrl) },
      maxRedirects: 0,
      proxy: false,
      validateStatus: () => true,
    });
  }

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
    // RabbitMQ left a request unanswered when it was paused for 30 s, and answered a repeated one at once.
    const shouldRetry = ({ error }: { error: Error }) => hasCode(error, 'unavailable');
    return pRetry(() => this.#callOnce(method, path, body), { retries: 1, minTimeout: 0, shouldRetry });
  }

  async #callOnce(method: string, path: readonly string[], body: unknown): Promise<unknown> {
    const url = path.map(encodeURIComponent).join('/');
    // axios' timeout restarts with each byte.
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const request = this.#client.request<unknown>({ method, url, data: body, signal });
    const { status, data } = await request.catch((error: unknown) => {
      const reason = messageOf(signal.aborted ? signal.reason : error);
      throw this.#unavailable(`can't be reached: ${reason}`, error);
    });
    if (status === 404 && method !== 'POST') return undefined;
    if (status === 401) {
      throw new StartupError(
        `RabbitMQ's management at ${this.#base} refuses its administrator: check RABBITMQ_ADMIN_PASSWORD`,
      );
    }
    if (status >= 500) throw this.#unavailable(`responds with ${status}`);
    if (status >= 300) {
      const problem = `answered ${method} ${path.join('/')} with ${status}: ${JSON.stringify(data).slice(0, 300)}`;
      // RabbitMQ skips a queue that it could not declare in time, and then refuses the bindings of that queue.
      if (problem.includes(MISSING_QUEUE)) throw this.#unavailable(problem);
      throw new StartupError(`RabbitMQ's management ${problem}`);
    }
    return data === '' ? undefined : data;
  }

  #unavailable(problem: string, cause?: unknown): AppError {
    return new AppError('unavailable', `RabbitMQ's management at ${this.#base} ${problem}`, { cause });
  }
}
