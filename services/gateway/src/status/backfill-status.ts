import {
  backfillParts,
  backfillProgressed,
  type BackfillPart,
  type Message,
  type OperationResponse,
  type operations,
} from '@lobbystats/contracts';
import type { Composition } from '../upstreams/upstreams.ts';

/** The newest progress of each part of the backfill, from the fact log. */
export class BackfillStatus {
  readonly #parts = new Map<BackfillPart['part'], BackfillPart>();

  /** Ignores other facts. Expects data that the bus has validated. */
  apply({ type, data }: Pick<Message, 'type' | 'data'>): void {
    if (type !== backfillProgressed.key) return;
    const progress = backfillProgressed.data.parse(data);
    this.#parts.set(progress.part, progress);
  }

  current(): OperationResponse<typeof operations.getStatus> {
    const backfill = backfillParts.map((part) => this.#parts.get(part)).filter((progress) => progress !== undefined);
    return { isBackfilling: backfill.some(({ done, total }) => done < total), backfill };
  }
}

/** A response that needs no upstream. */
export function backfillStatus(status: BackfillStatus): Composition {
  return async () =>
    Promise.resolve({ body: Buffer.from(JSON.stringify(status.current())), lastModified: undefined, link: undefined });
}
