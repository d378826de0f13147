import { AppError, messageOf, StartupError } from '@lobbystats/errors';
import axios, { type AxiosInstance } from 'axios';

export interface ManagementOptions {
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

const RESPONSE_TIMEOUT_MS = 15_000;

export class ManagementApi {
  readonly #base: string;
  readonly #client: AxiosInstance;

  constructor({ url, user, password }: ManagementOptions) {
    const parsed = new URL(url);
    this.#base = `${parsed.protocol}//${parsed.host}${parsed.pathname.replace(/\/+$/, '')}/api`;
    this.#client = axios.create({
      baseURL: this.#base,
      auth: {
        username: user ?? decodeURIComponent(parsed.username),
        password: password ?? decodeURIComponent(parsed.password),
      },
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
      throw new StartupError(`RabbitMQ's management at ${this.#base} refuses its administrator: check the password`);
    }
    if (status >= 500) throw this.#unavailable(`responds with ${status}`);
    if (status >= 300) {
      const detail = JSON.stringify(data).slice(0, 300);
      throw new StartupError(`RabbitMQ's management answered ${method} ${path.join('/')} with ${status}: ${detail}`);
    }
    return data === '' ? undefined : data;
  }

  #unavailable(problem: string, cause?: unknown): AppError {
    return new AppError('unavailable', `RabbitMQ's management at ${this.#base} ${problem}`, { cause });
  }
}
