import {
  backfillParts,
  backfillProgressed,
  formatTimestamp,
  parseInstant,
  sourcesChecked,
  type BackfillPart,
  type Message,
  type MissingSource,
  type OperationResponse,
  type operations,
} from '@lobbystats/contracts';
import type { Composition } from '../upstreams/upstreams.ts';

/** The newest progress of each part of the backfill, and the missing sources, from the fact log. */
export class CollectorStatus {
  #missingSources: MissingSource[] = [];
  readonly #parts = new Map<BackfillPart['part'], BackfillPart>();

  /** Ignores other facts. Expects data that the bus has validated. */
  apply({ type, data }: Pick<Message, 'type' | 'data'>): void {
    if (type === sourcesChecked.key) this.#missingSources = sourcesChecked.data.parse(data).missing;
    if (type !== backfillProgressed.key) return;
    const progress = backfillProgressed.data.parse(data);
    this.#parts.set(progress.part, progress);
  }

  current(): OperationResponse<typeof operations.getStatus> {
    const backfill = backfillParts.map((part) => this.#parts.get(part)).filter((progress) => progress !== undefined);
    const isBackfilling = backfill.some(({ done, total }) => done < total);
    const missingSources = this.#missingSources.map(({ since, ...missing }) => {
      return { ...missing, since: formatTimestamp(parseInstant(since)) };
    });
    return { isBackfilling, backfill, missingSources };
  }
}

/** A response that needs no upstream. */
export function collectorStatus(status: CollectorStatus): Composition {
  return async () =>
    Promise.resolve({ body: Buffer.from(JSON.stringify(status.current())), lastModified: undefined, link: undefined });
}
