import { Agent, request } from 'node:http';

const EVERY_MS = 500;

/** Connections of well-behaved clients, each kept alive and used again and again. */
export class KeptConnections {
  readonly #agents: readonly Agent[];
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  readonly #dropped = new Set<Agent>();
  readonly #failures = new Set<string>();
  #answered = 0;

  /** @param url what each of them requests twice a second */
  constructor(url: string, count: number) {
    this.#url = url;
    this.#agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    this.#askAll();
    this.#timer = setInterval(() => {
      this.#askAll();
    }, EVERY_MS);
  }

  /** Requests that were answered below 400. */
  get answered(): number {
    return this.#answered;
  }

  /** Connections that broke, or were answered with an error. */
  get dropped(): number {
    return this.#dropped.size;
  }

  /** What became of those, each once. */
  get failures(): readonly string[] {
    return [...this.#failures];
  }

  close(): void {
    clearInterval(this.#timer);
    for (const agent of this.#agents) agent.destroy();
  }

  #askAll(): void {
    for (const agent of this.#agents) this.#ask(agent);
  }

  #ask(agent: Agent): void {
    const failed = (failure: string): void => {
      this.#dropped.add(agent);
      this.#failures.add(failure);
    };
    request(this.#url, { agent }, (answer) => {
      answer.resume();
      answer.once('error', ({ message }) => failed(message));
      answer.once('end', () => {
        const { statusCode = 0 } = answer;
        if (statusCode < 400) this.#answered += 1;
        else failed(String(statusCode));
      });
    })
      .once('error', ({ message }) => failed(message))
      .end();
  }
}
