import {
  nextRevision,
  titleStored,
  type EpochSeconds,
  type Fact,
  type FactMetadata,
  type GameMetadata,
} from '@lobbystats/contracts';
import { rejectFuture, retryStale, splitBySize } from '../commits/commits.ts';
import { applyObservations, type TitleObservation } from './apply-observations.ts';
import { catalogOf, isWithdrawn, type Catalog } from './catalog.ts';
import type { TitleQueries } from './titles.queries.ts';
import { TitleView } from './title-view.ts';

export interface TitleCounts {
  readonly changed: number;
  readonly shown: number;
}

export interface TitleCatalogOptions {
  store: TitleQueries;
  clock: () => number;
  origin: string;
}

/** Any number of processes may share the store. */
export class TitleCatalog {
  readonly #options: TitleCatalogOptions;
  #cached: CachedCatalog | undefined;
  #pendingRead: Promise<CachedCatalog> | undefined;

  constructor(options: TitleCatalogOptions) {
    this.#options = options;
  }

  async view(): Promise<TitleView> {
    return (await this.#current()).view;
  }

  /** Whether what was seen of a title at an instant was withdrawn with it. */
  async isWithdrawn(titleId: string, seenAt: EpochSeconds): Promise<boolean> {
    const record = (await this.#current()).catalog.records.get(titleId);
    return record !== undefined && isWithdrawn(record, seenAt);
  }

  /**
   * Applies observations in any order and repetition, with their facts in one commit. `past` marks a backfill.
   *
   * @returns counts of changed titles and of all titles that are shown
   * @throws AppError `invalid` for far-future observations
   * @throws AppError `unavailable` when they are not durable; safe to repeat
   */
  async observe(observations: readonly TitleObservation[], past: boolean): Promise<TitleCounts> {
    const instants = observations.map(({ seenAt }) => seenAt);
    rejectFuture('Titles', instants, this.#options.clock());
    const about = { occurredAt: Math.max(...instants), past };
    return retryStale('titles', () => this.#tryObserve(observations, about));
  }

  async #tryObserve(
    observations: readonly TitleObservation[],
    about: { occurredAt: number; past: boolean },
  ): Promise<TitleCounts | 'stale'> {
    const { catalog, view } = await this.#current();
    const nowMs = this.#options.clock();
    const { written, changed, retired, records, names } = applyObservations(
      catalog,
      observations,
      Math.floor(nowMs / 1000),
    );
    if (written.length === 0) return { changed: 0, shown: view.size };

    const first = nextRevision(catalog.revision, nowMs);
    const { facts, revision } = titleFacts({ changed, retired }, first, { origin: this.#options.origin, ...about });
    const committed = await this.#options.store.commit({
      expectedRevision: catalog.revision,
      revision,
      records: written,
      facts,
    });
    if (!committed) return 'stale';
    const next = { revision, records, names };
    this.#cached = { catalog: next, view: facts.length === 0 ? view : new TitleView(next) };
    return { changed: changed.length + retired.length, shown: names.size };
  }

  /** The cached view, if the store's revision is still the same. */
  async #current(): Promise<CachedCatalog> {
    const revision = await this.#options.store.revision();
    if (this.#cached?.catalog.revision === revision) return this.#cached;
    this.#pendingRead ??= this.#read().finally(() => {
      this.#pendingRead = undefined;
    });
    return this.#pendingRead;
  }

  async #read(): Promise<CachedCatalog> {
    const { revision, records } = await this.#options.store.read();
    const catalog = catalogOf(revision, records);
    this.#cached = { catalog, view: new TitleView(catalog) };
    return this.#cached;
  }
}

interface CachedCatalog {
  readonly catalog: Catalog;
  readonly view: TitleView;
}

export const TITLES_PER_FACT = 1000;

/** Revisions increase by one from `firstRevision`; `revision` is the last, or `firstRevision` without facts. */
export function titleFacts(
  { changed, retired }: { changed: readonly GameMetadata[]; retired: readonly string[] },
  firstRevision: number,
  { origin, occurredAt, past }: Omit<FactMetadata, 'revision'>,
): { facts: Fact[]; revision: number } {
  const bundles = splitBySize(changed, TITLES_PER_FACT);
  if (bundles.length === 0 && retired.length > 0) bundles.push([]);
  const facts = bundles.map((titles, index): Fact => {
    const revision = firstRevision + index;
    const id = `${titleStored.key}:${origin}:${revision}`;
    return {
      type: titleStored.key,
      id,
      occurredAt,
      past,
      data: { revision, titles, ...(index === 0 && retired.length > 0 && { retired }) },
    };
  });
  return { facts, revision: firstRevision + Math.max(facts.length - 1, 0) };
}
