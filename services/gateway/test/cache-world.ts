import { freshUntil, tags as cacheTags } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { EncodedBodies } from '../src/cache/encoded-bodies.ts';
import { ResponseCache } from '../src/cache/response-cache.ts';
import type { ServedResponse, CachePolicy, OriginResponse, CacheRequest } from '../src/cache/cache-request.ts';

/** Resources: each shows the versions of its tags. */
const RESOURCES = [
  { key: 'a', tags: ['slots'], policy: 'store' },
  { key: 'b', tags: ['slots', 'changes'], policy: 'store' },
  { key: 'c', tags: ['user:fox'], policy: 'revalidate' },
  { key: 'd', tags: ['changes'], policy: 'store' },
  { key: 'e', tags: ['slots', 'changes'], policy: 'coalesce' },
  { key: 'f', tags: ['slots', 'user:fox'], policy: 'coalesce' },
] as const satisfies readonly { key: string; tags: readonly Tag[]; policy: CachePolicy }[];

/** Tags of data that changes with a slot, at any time, and by a user's writes. */
export const TAGS = [cacheTags.slots, cacheTags.everyChange, 'user:fox'] as const;
export type Tag = (typeof TAGS)[number];
/** Number of changes by tag. */
type Versions = Record<Tag, number>;
const NO_VERSIONS: Versions = { slots: 0, changes: 0, 'user:fox': 0 };

/** A step of the model. */
export type Step =
  | { do: 'ask'; of: number }
  /** The upstream answers the oldest or the newest open request. */
  | { do: 'land'; which: 'first' | 'last' }
  | { do: 'fail'; which: 'first' | 'last' }
  | { do: 'change'; tag: Tag }
  /** A fact publishes all changes of a tag. */
  | { do: 'tell'; tag: Tag }
  /** An operator hides content. */
  | { do: 'hide'; tag: Tag }
  | { do: 'pass'; ms: number }
  | { do: 'unfollow' }
  | { do: 'follow' };

interface OriginRequest {
  key: string;
  /** Versions at the time of the request. */
  versions: Versions;
  /** Whether a fact has invalidated it since. */
  isOutdated: boolean;
  tags: readonly Tag[];
  response: PromiseWithResolvers<OriginResponse>;
}

/** A client request and its response. */
export interface ClientRequest {
  key: string;
  policy: CachePolicy;
  /** Versions that the response must have: the published ones, or for what users write all. */
  publishedVersions: Versions;
  /** Versions last purged before the request. */
  purgedVersions: Versions;
  served?: { given: ServedResponse; key: string; versions: Versions };
  error?: unknown;
}

/** A cache in front of scripted upstreams, with all client requests. */
export class CacheHarness {
  readonly requests: ClientRequest[] = [];
  /** Number of concurrent fetches of one key without an invalidation between them. */
  duplicateRequests = 0;
  peakBytes = 0;
  readonly #versions: Versions = { ...NO_VERSIONS };
  readonly #published: Versions = { ...NO_VERSIONS };
  readonly #purged: Versions = { ...NO_VERSIONS };
  readonly #cache: ResponseCache;
  #openRequests: OriginRequest[] = [];
  #nowMs = 1_800_000_000_000;

  constructor(maxBytes: number) {
    this.#cache = new ResponseCache({
      maxBytes,
      now: () => this.#nowMs,
      freshness: { nextMs: 1_800_000_200_000 },
      compress: async (_packing, bytes) => bytes,
      resolveWithin: (work) => work,
    });
    this.#cache.setConnected(true);
  }

  /** Responses that the cache has counted. */
  get countedResponses(): number {
    const counts = Array.from(this.#cache.served.values(), (ofOperation) => [...ofOperation.values()]);
    return counts.flat().reduce((sum, count) => sum + count, 0);
  }

  async applyStep(step: Step): Promise<void> {
    switch (step.do) {
      case 'ask':
        this.#request(step.of);
        break;
      case 'land':
      case 'fail':
        this.#settle(step.which, step.do === 'land');
        break;
      case 'change':
        this.#versions[step.tag] += 1;
        break;
      case 'tell':
        this.#markOutdated(step.tag);
        this.#cache.invalidate([step.tag]);
        break;
      case 'hide':
        this.#versions[step.tag] += 1;
        this.#purged[step.tag] = this.#versions[step.tag];
        this.#markOutdated(step.tag);
        this.#cache.purge([step.tag]);
        break;
      case 'pass':
        this.#nowMs += step.ms;
        break;
      default:
        this.#cache.setConnected(step.do === 'follow');
    }
    await flushMicrotasks();
    this.peakBytes = Math.max(this.peakBytes, this.#cache.size.bytes);
  }

  /** Answers all open requests. */
  async drain(): Promise<void> {
    while (this.#openRequests.length > 0) await this.applyStep({ do: 'land', which: 'first' });
  }

  #request(of: number): void {
    const { key, tags, policy } = RESOURCES[of % RESOURCES.length]!;
    const isWritten = freshUntil(tags) === 'write';
    const truth = isWritten ? this.#versions : this.#published;
    const asked: ClientRequest = {
      key,
      policy,
      publishedVersions: { ...truth },
      purgedVersions: { ...this.#purged },
    };
    this.requests.push(asked);
    const request: CacheRequest = {
      key,
      operation: key,
      upstream: 'o',
      tags,
      policy,
      fetch: () => this.#fetch(key, tags),
    };
    this.#cache.getOrFetch(request).then(
      (response) => {
        if (!(response.body instanceof EncodedBodies)) throw new Error('it is too large to be stored');
        const body = JSON.parse(response.body.identity.bytes.toString()) as { key: string; versions: Versions };
        asked.served = { given: response, ...body };
      },
      (error: unknown) => (asked.error = error),
    );
  }

  #fetch(key: string, tags: readonly Tag[]): Promise<OriginResponse> {
    if (this.#openRequests.some((one) => one.key === key && !one.isOutdated)) this.duplicateRequests += 1;
    const response = Promise.withResolvers<OriginResponse>();
    this.#openRequests.push({ key, tags, versions: { ...this.#versions }, isOutdated: false, response });
    return response.promise;
  }

  #settle(which: 'first' | 'last', isUp: boolean): void {
    const question = which === 'first' ? this.#openRequests.shift() : this.#openRequests.pop();
    if (question === undefined) return;
    const { key, versions, response } = question;
    const text = JSON.stringify({ key, versions });
    if (isUp) response.resolve({ body: new EncodedBodies(Buffer.from(text), text), headers: {} });
    else response.reject(new AppError('unavailable', 'The upstream is down'));
  }

  #markOutdated(tag: Tag): void {
    this.#published[tag] = this.#versions[tag];
    for (const question of this.#openRequests) if (question.tags.includes(tag)) question.isOutdated = true;
  }
}

/** The tags of a resource. */
export function tagsOf(key: string): readonly Tag[] {
  return RESOURCES.find((one) => one.key === key)?.tags ?? [];
}

/** Resolves after all pending microtasks. */
function flushMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
