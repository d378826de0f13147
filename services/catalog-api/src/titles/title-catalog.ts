import { nextRevision } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { applyObservations, type TitleObservation } from './apply-observations.ts';
import { catalogOf, type Catalog } from './catalog.ts';
import { titleFacts } from './title-facts.ts';
import type { TitleStore } from './title-store.ts';
import { TitleView } from './title-view.ts';

/** In seconds. A far-future observation would supersede all later ones. */
export const MAX_CLOCK_SKEW_SECONDS = 3600;
export const MAX_ATTEMPTS = 8;

export interface TitleCounts {
  readonly changed: number;
  readonly shown: number;
}

export interface TitleCatalogOptions {
  store: TitleStore;
  clock: () => number;
  origin: string;
}

/** Any number of processes may share the store. */
export class TitleCatalog {
  readonly #store: TitleStore;
  readonly #clock: () => number;
  readonly #origin: string;
  #cached: CachedCatalog | undefined;
  #pendingRead: Promise<CachedCatalog> | undefined;

  constructor({ store, clock, origin }: TitleCatalogOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#origin = origin;
  }

  async view(): Promise<TitleView> {
    return (await this.#current()).view;
  }

  /**
   * Applies observations in any order and repetition, with their facts in one commit. `past` marks a backfill.
   *
   * @returns counts of changed titles and of all titles that are shown
   * @throws AppError `invalid` for far-future observations
   * @throws AppError `unavailable` when they are not durable; safe to repeat
   */
  async observe(observations: readonly TitleObservation[], past: boolean): Promise<TitleCounts> {
    const latest = observations.reduce((newest, { seenAt }) => Math.max(newest, seenAt), -Infinity);
    if (latest > this.#clock() / 1000 + MAX_CLOCK_SKEW_SECONDS) {
      throw new AppError('invalid', 'Titles were seen in the future: a clock is wrong');
    }
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const observed = await this.#tryObserve(observations, { occurredAt: latest, past });
      if (observed !== 'stale') return observed;
    }
    throw new AppError('unavailable', 'Too many concurrent commits of titles');
  }

  async #tryObserve(
    observations: readonly TitleObservation[],
    about: { occurredAt: number; past: boolean },
  ): Promise<TitleCounts | 'stale'> {
    const { catalog, view } = await this.#current();
    const nowMs = this.#clock();
    const { written, changed, records, names } = applyObservations(catalog, observations, Math.floor(nowMs / 1000));
    if (written.length === 0) return { changed: 0, shown: view.size };

    const first = nextRevision(catalog.revision, nowMs);
    const { facts, revision } = titleFacts(changed, first, { origin: this.#origin, ...about });
    const committed = await this.#store.commit({
      expectedRevision: catalog.revision,
      revision,
      records: written,
      facts,
    });
    if (!committed) return 'stale';
    const next = { revision, records, names };
    this.#cached = { catalog: next, view: changed.length === 0 ? view : new TitleView(next) };
    return { changed: changed.length, shown: names.size };
  }

  /** The cached view, if the store's revision is still the same. */
  async #current(): Promise<CachedCatalog> {
    const revision = await this.#store.revision();
    if (this.#cached?.catalog.revision === revision) return this.#cached;
    this.#pendingRead ??= this.#read().finally(() => {
      this.#pendingRead = undefined;
    });
    return this.#pendingRead;
  }

  async #read(): Promise<CachedCatalog> {
    const { revision, records } = await this.#store.read();
    const catalog = catalogOf(revision, records);
    this.#cached = { catalog, view: new TitleView(catalog) };
    return this.#cached;
  }
}

interface CachedCatalog {
  readonly catalog: Catalog;
  readonly view: TitleView;
}
