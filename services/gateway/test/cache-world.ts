import { AppError } from '@lobbystats/errors';
import { ResponseCache, type Outcome } from '../src/domain/cache/response-cache.ts';
import type { GivenAnswer, Keeping, MadeAnswer, Wanted } from '../src/domain/cache/wanted.ts';

/** What can be asked for: each shows what is true of its tags. */
const RESOURCES = [
  { key: 'a', tags: ['x'], keeping: 'kept' },
  { key: 'b', tags: ['x', 'y'], keeping: 'kept' },
  { key: 'c', tags: ['y'], keeping: 'revalidated' },
  { key: 'd', tags: ['z'], keeping: 'kept' },
  { key: 'e', tags: ['x', 'z'], keeping: 'shared' },
] as const satisfies readonly { key: string; tags: readonly string[]; keeping: Keeping }[];

export const TAGS = ['x', 'y', 'z'] as const;
export type Tag = (typeof TAGS)[number];
/** How often what a tag stands for has changed. */
type Versions = Record<Tag, number>;

/** Something that happens. */
export type Step =
  | { do: 'ask'; of: number }
  /** An owner answers the question asked longest ago, or the latest. */
  | { do: 'land'; which: 'first' | 'last' }
  | { do: 'fail'; which: 'first' | 'last' }
  | { do: 'change'; tag: Tag }
  /** A fact tells of all that has changed of a tag. */
  | { do: 'tell'; tag: Tag }
  /** The operators take something away. */
  | { do: 'hide'; tag: Tag }
  | { do: 'pass'; ms: number }
  | { do: 'unfollow' }
  | { do: 'follow' };

interface Question {
  key: string;
  /** As its owner knew when it was asked. */
  versions: Versions;
  /** Whether a fact has touched it since. */
  isOutdated: boolean;
  tags: readonly Tag[];
  answered: PromiseWithResolvers<MadeAnswer>;
}

/** What somebody asked, and what they were told. */
export interface Asked {
  key: string;
  keeping: Keeping;
  /** What was true when they asked, as far as a cache could know; of what is revalidated, all that was true. */
  truth: Versions;
  /** What had last been hidden by then. */
  hidden: Versions;
  told?: { given: GivenAnswer; key: string; versions: Versions };
  refused?: unknown;
}

/** A cache in front of owners that do as they are told, and all that was asked of it. */
export class CacheWorld {
  readonly asked: Asked[] = [];
  readonly outcomes: Outcome[] = [];
  /** Questions about one thing that ran side by side though nothing had happened between. */
  doubled = 0;
  mostBytes = 0;
  readonly #versions: Versions = { x: 0, y: 0, z: 0 };
  readonly #told: Versions = { x: 0, y: 0, z: 0 };
  readonly #hidden: Versions = { x: 0, y: 0, z: 0 };
  readonly #cache: ResponseCache;
  #questions: Question[] = [];
  #nowMs = 1_800_000_000_000;

  constructor(maxBytes: number) {
    this.#cache = new ResponseCache({
      maxBytes,
      now: () => this.#nowMs,
      nextMs: () => 1_800_000_200_000,
      pack: async (_packing, bytes) => bytes,
      within: (work) => work,
      report: {
        served: (_operation, outcome) => this.outcomes.push(outcome),
        evicted: () => undefined,
        sized: (bytes) => (this.mostBytes = Math.max(this.mostBytes, bytes)),
      },
    });
    this.#cache.following(true);
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'ask':
        this.#ask(step.of);
        break;
      case 'land':
      case 'fail':
        this.#settle(step.which, step.do === 'land');
        break;
      case 'change':
        this.#versions[step.tag] += 1;
        break;
      case 'tell':
        this.#touch(step.tag);
        this.#cache.outdate([step.tag]);
        break;
      case 'hide':
        this.#versions[step.tag] += 1;
        this.#hidden[step.tag] = this.#versions[step.tag];
        this.#touch(step.tag);
        this.#cache.drop([step.tag]);
        break;
      case 'pass':
        this.#nowMs += step.ms;
        break;
      default:
        this.#cache.following(step.do === 'follow');
    }
    await quiet();
  }

  /** Lets every question have its answer. */
  async end(): Promise<void> {
    while (this.#questions.length > 0) await this.take({ do: 'land', which: 'first' });
  }

  #ask(of: number): void {
    const { key, tags, keeping } = RESOURCES[of % RESOURCES.length]!;
    const truth = keeping === 'revalidated' ? this.#versions : this.#told;
    const asked: Asked = { key, keeping, truth: { ...truth }, hidden: { ...this.#hidden } };
    this.asked.push(asked);
    const wanted: Wanted = { key, operation: key, owner: 'o', tags, keeping, make: () => this.#make(key, tags) };
    this.#cache.answer(wanted).then(
      (given) => {
        if ('large' in given) throw new Error('it is too large to be stored');
        const body = JSON.parse(given.bodies.identity.bytes.toString()) as { key: string; versions: Versions };
        asked.told = { given, ...body };
      },
      (error: unknown) => (asked.refused = error),
    );
  }

  #make(key: string, tags: readonly Tag[]): Promise<MadeAnswer> {
    if (this.#questions.some((one) => one.key === key && !one.isOutdated)) this.doubled += 1;
    const answered = Promise.withResolvers<MadeAnswer>();
    this.#questions.push({ key, tags, versions: { ...this.#versions }, isOutdated: false, answered });
    return answered.promise;
  }

  #settle(which: 'first' | 'last', isUp: boolean): void {
    const question = which === 'first' ? this.#questions.shift() : this.#questions.pop();
    if (question === undefined) return;
    const { key, versions, answered } = question;
    const text = JSON.stringify({ key, versions });
    if (isUp) answered.resolve({ body: Buffer.from(text), tag: text, headers: {} });
    else answered.reject(new AppError('unavailable', 'The owner is away'));
  }

  #touch(tag: Tag): void {
    this.#told[tag] = this.#versions[tag];
    for (const question of this.#questions) if (question.tags.includes(tag)) question.isOutdated = true;
  }
}

/** What tags a resource shows. */
export function tagsOf(key: string): readonly Tag[] {
  return RESOURCES.find((one) => one.key === key)?.tags ?? [];
}

/** Until all that can happen now has happened. */
function quiet(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
