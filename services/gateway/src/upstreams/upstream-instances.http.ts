import { setTimeout as pause } from 'node:timers/promises';
import { operations, type Coverage } from '@lobbystats/contracts';
import { Pool } from 'undici';
import { fetchResponse, type HttpResponse } from './fetch-response.http.ts';
import { InstanceChoice } from './instance-choice.ts';
import { UpstreamClient, type UpstreamClientOptions, type UpstreamRequest } from './upstream-client.http.ts';

const POLL_INTERVAL_MS = 1000;
const POLL_TIMEOUT_MS = 1000;
const POLL_MAX_BYTES = 10_000;
/** Share of a request's time for the first instance, so that another one can still answer. */
const FIRST_SHARE = 0.4;
const UNAVAILABLE = 503;

interface UpstreamInstancesOptions extends Omit<UpstreamClientOptions, 'url'> {
  urls: readonly string[];
}

interface Instance {
  readonly name: string;
  readonly client: UpstreamClient;
  readonly probe: Probe;
}

/**
 * Several instances of one upstream, each with a store of its own. Reads go to one of them while it is complete. A
 * request that it fails is repeated at another complete one.
 */
export class UpstreamInstances {
  readonly #instances: readonly Instance[];
  readonly #choice: InstanceChoice;
  readonly #hooks: UpstreamClientOptions['hooks'];
  readonly #stopping = new AbortController();
  #polling: Promise<void> | undefined;

  constructor({ urls, upstream, ...options }: UpstreamInstancesOptions) {
    this.#hooks = options.hooks;
    this.#choice = new InstanceChoice(urls.length);
    this.#instances = urls.map((url, index) => {
      const name = index === 0 ? upstream : `${upstream}-${index + 1}`;
      return { name, client: new UpstreamClient({ ...options, url, upstream: name }), probe: new Probe(url) };
    });
  }

  /** Begins to compare the instances; resolves after the first comparison. */
  async start(): Promise<void> {
    const compared = Promise.withResolvers<undefined>();
    this.#polling ??= this.#poll(() => compared.resolve(undefined));
    await compared.promise;
  }

  /** @throws as `UpstreamClient` does */
  async fetch(request: UpstreamRequest): Promise<HttpResponse> {
    const current = this.#client(this.#choice.current);
    const { alternative } = this.#choice;
    if (alternative === undefined || !request.isSafe) return current.fetch(request);
    const began = performance.now();
    const firstMs = Math.ceil(request.timeoutMs * FIRST_SHARE);
    const response = await current.fetch({ ...request, timeoutMs: firstMs }).catch(() => undefined);
    if (response !== undefined && response.status !== UNAVAILABLE) return response;
    const leftMs = Math.max(1, Math.ceil(request.timeoutMs - (performance.now() - began)));
    return this.#client(alternative).fetch({ ...request, timeoutMs: leftMs });
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#instances.flatMap(({ client, probe }) => [client.close(), probe.close()]));
    await this.#polling;
  }

  #client(index: number): UpstreamClient {
    const instance = this.#instances[index];
    if (instance === undefined) throw new RangeError(`there is no instance ${index}`);
    return instance.client;
  }

  async #poll(onCompared: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const isStopping = () => signal.aborted;
    while (!isStopping()) {
      const coverages = await Promise.all(this.#instances.map(({ probe }) => probe.read()));
      if (!isStopping()) this.#report(coverages);
      onCompared();
      await pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #report(coverages: readonly (Coverage | undefined)[]): void {
    const before = this.#choice.current;
    this.#choice.report(coverages);
    const { current } = this.#choice;
    for (const [index, { name }] of this.#instances.entries()) {
      this.#hooks.onCompleteness(name, this.#choice.isComplete(index));
      if (index === current && current !== before) this.#hooks.onServing(name);
    }
  }
}

/** Reads the coverage over a connection of its own, so that it neither waits behind requests nor counts as one. */
class Probe {
  readonly #pool: Pool;
  readonly #path: string;

  constructor(url: string) {
    const { origin, pathname } = new URL(url);
    this.#pool = new Pool(origin, {
      connections: 2,
      connectTimeout: POLL_TIMEOUT_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#path = (pathname === '/' ? '' : pathname) + operations.getSeriesCoverage.path;
  }

  /** Undefined: the instance or its store does not respond. */
  async read(): Promise<Coverage | undefined> {
    const request = { method: 'GET', path: this.#path, headers: {} } as const;
    const limits = { timeoutMs: POLL_TIMEOUT_MS, maxBytes: POLL_MAX_BYTES, streamMs: POLL_TIMEOUT_MS };
    try {
      const { status, body } = await fetchResponse(this.#pool, request, limits);
      if (status !== 200 || !Buffer.isBuffer(body)) return undefined;
      return operations.getSeriesCoverage.response.parse(JSON.parse(body.toString('utf8')));
    } catch {
      return undefined;
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
