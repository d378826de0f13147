import { Agent, request } from 'node:http';

const EVERY_MS = 500;

/** Well-behaved clients with keep-alive connections. */
export class KeepAliveClients {
  readonly #agents: readonly Agent[];
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  readonly #dropped = new Set<Agent>();
  readonly #failures = new Set<string>();
  #responseCount = 0;

  /** @param url requested by each client twice a second */
  constructor(url: string, count: number) {
    this.#url = url;
    this.#agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    this.#requestAll();
    this.#timer = setInterval(() => {
      this.#requestAll();
    }, EVERY_MS);
  }

  /** Number of responses below 400. */
  get responseCount(): number {
    return this.#responseCount;
  }

  /** Number of connections that failed or received an error. */
  get droppedCount(): number {
    return this.#dropped.size;
  }

  /** Distinct failures. */
  get failures(): readonly string[] {
    return [...this.#failures];
  }

  close(): void {
    clearInterval(this.#timer);
    for (const agent of this.#agents) agent.destroy();
  }

  #requestAll(): void {
    for (const agent of this.#agents) this.#request(agent);
  }

  #request(agent: Agent): void {
    const failed = (failure: string): void => {
      this.#dropped.add(agent);
      this.#failures.add(failure);
    };
    request(this.#url, { agent }, (answer) => {
      answer.resume();
      answer.once('error', ({ message }) => failed(message));
      answer.once('end', () => {
        const { statusCode = 0 } = answer;
        if (statusCode < 400) this.#responseCount += 1;
        else failed(String(statusCode));
      });
    })
      .once('error', ({ message }) => failed(message))
      .end();
  }
}
