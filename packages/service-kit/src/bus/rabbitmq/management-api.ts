import { AppError, hasCode, messageOf, StartupError } from '@lobbystats/contracts/errors';
import axios, { type AxiosInstance } from 'axios';
import { hostUrls } from './host-urls.ts';

export interface ManagementOptions {
  /** May list several nodes, as `http://a:15672,b:15672`. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** A busy machine has taken more than 15 s. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** A shorter limit for a node of several that was not known to respond. */
const FIRST_RESPONSE_TIMEOUT_MS = 3000;
const MISSING_QUEUE = 'resources_missing';

/** The management API of the first node that responds. All calls are safe to repeat. */
export class ManagementApi {
  #nodes: ManagementNode[];

  constructor({ url, ...login }: ManagementOptions) {
    this.#nodes = hostUrls(url).map((one) => new ManagementNode({ url: one, ...login }));
  }

  /** URL of the node that responded last. */
  get nodeUrl(): string {
    return this.#nodes[0]?.url ?? '';
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
    let failure: unknown;
    // Twice: RabbitMQ left a request unanswered when it was paused for 30 s, and answered a repeated one at once.
    for (const node of [...this.#nodes, ...this.#nodes]) {
      try {
        if (this.#nodes.length > 1) await node.probe(FIRST_RESPONSE_TIMEOUT_MS);
        const response = await node.call(method, path, body);
        this.#nodes = [node, ...this.#nodes.filter((other) => other !== node)];
        return response;
      } catch (error) {
        if (!hasCode(error, 'unavailable')) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

class ManagementNode {
  readonly url: string;
  readonly #base: string;
  readonly #client: AxiosInstance;
  #isProbed = false;

  constructor({ url, user, password }: ManagementOptions) {
    this.url = url;
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

  /** Once: a paused node accepts a connection and doesn't respond. */
  async probe(timeoutMs: number): Promise<void> {
    if (!this.#isProbed) await this.call('GET', ['overview'], undefined, timeoutMs);
    this.#isProbed = true;
  }

  async call(
    method: string,
    path: readonly string[],
    body?: unknown,
    timeoutMs = RESPONSE_TIMEOUT_MS,
  ): Promise<unknown> {
    const url = path.map(encodeURIComponent).join('/');
    // axios' timeout restarts with each byte.
    const signal = AbortSignal.timeout(timeoutMs);
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
