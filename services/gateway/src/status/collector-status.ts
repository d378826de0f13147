import {
  backfillParts,
  backfillProgressed,
  formatTimestamp,
  parseInstant,
  slotStored,
  sourcesChecked,
  type BackfillPart,
  type Message,
  type MissingSource,
  type RefusedSource,
  type OperationResponse,
  type operations,
} from '@lobbystats/contracts';
import type { Composition } from '../upstreams/upstreams.ts';

/** The newest progress of each part of the backfill, the missing and refused sources, and whether the network answers, from the fact log. */
export class CollectorStatus {
  #missingSources: MissingSource[] = [];
  #refusedSources: RefusedSource[] = [];
  #failingSince: string | null = null;
  #newestSlot: string | null = null;
  readonly #parts = new Map<BackfillPart['part'], BackfillPart>();

  /** Ignores other facts. Expects data that the bus has validated. */
  apply({ type, data }: Pick<Message, 'type' | 'data'>): void {
    if (type === sourcesChecked.key) {
      const { missing, refused, failingSince } = sourcesChecked.data.parse(data);
      this.#missingSources = missing;
      this.#refusedSources = refused;
      // The next leader knows only of its own slots.
      this.#failingSince = failingSince === null ? null : (this.#failingSince ?? failingSince);
    }
    if (type === slotStored.key) {
      const { slot } = slotStored.data.parse(data);
      if (this.#newestSlot === null || slot > this.#newestSlot) this.#newestSlot = slot;
    }
    if (type !== backfillProgressed.key) return;
    const progress = backfillProgressed.data.parse(data);
    this.#parts.set(progress.part, progress);
  }

  current(): OperationResponse<typeof operations.getStatus> {
    const backfill = backfillParts.map((part) => this.#parts.get(part)).filter((progress) => progress !== undefined);
    const isBackfilling = backfill.some(({ done, total }) => done < total);
    const withTimestamp = <Source extends { since: string }>({ since, ...source }: Source) => {
      return { ...source, since: timestampOf(since) };
    };
    const missingSources = this.#missingSources.map(withTimestamp);
    const refusedSources = this.#refusedSources.map(withTimestamp);
    const network = {
      state: this.#failingSince === null ? ('up' as const) : ('failing' as const),
      since: timestampOf(this.#failingSince),
      newestSlot: timestampOf(this.#newestSlot),
    };
    return { isBackfilling, backfill, missingSources, refusedSources, network };
  }
}

function timestampOf<Instant extends string | null>(instant: Instant): Instant {
  return (instant === null ? null : formatTimestamp(parseInstant(instant))) as Instant;
}

/** A response that needs no upstream. */
export function collectorStatus(status: CollectorStatus): Composition {
  return async () =>
    Promise.resolve({ body: Buffer.from(JSON.stringify(status.current())), lastModified: undefined, link: undefined });
}
