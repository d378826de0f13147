import { formatInstant, type EpochSeconds, type RefusedSource } from '@lobbystats/contracts';
import { slotAt } from '../../time/slot-times.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { UnparseablePageError } from '../../network/page-failures.ts';
import type { SourceName } from '../descriptions/source-forms.ts';

/** UTF-16 units of a reason. */
const REASON_MAX = 1000;

interface Refusal {
  readonly first: EpochSeconds;
  readonly last: EpochSeconds;
  readonly reason: string;
}

export interface RefusedSourcesParts {
  telemetry: Pick<Telemetry, 'sourcesRefused' | 'fault'>;
  /** Epoch milliseconds. */
  now: () => number;
  /** One is refused now, or is read again. */
  onChange: () => Promise<void>;
}

/**
 * Knows the sources whose pages were all refused by their descriptions in two slots in which they were asked for. The
 * next leader learns it within two slots.
 */
export function createRefusedSources({ telemetry, now, onChange }: RefusedSourcesParts) {
  const refusals = new Map<SourceName, Refusal>();
  const readIn = new Map<SourceName, EpochSeconds>();

  return {
    list,
    /** Runs a request for a page, and passes on what it gives. */
    async watch<Result>(source: SourceName, read: () => Promise<Result>): Promise<Result> {
      const slot = slotAt(now());
      try {
        const result = await read();
        await noteRead(source, slot);
        return result;
      } catch (error) {
        if (error instanceof UnparseablePageError && !error.isOtherType && !error.isFinal)
          await noteRefused(source, slot, error.reason);
        throw error;
      }
    },
  };

  function list(): RefusedSource[] {
    return [...refusals].flatMap(([source, { first, last, reason }]) =>
      first === last ? [] : { source, since: formatInstant(first), reason },
    );
  }

  async function noteRead(source: SourceName, slot: EpochSeconds): Promise<void> {
    readIn.set(source, slot);
    const before = refusals.get(source);
    refusals.delete(source);
    if (before !== undefined && before.first !== before.last) await change();
  }

  async function noteRefused(source: SourceName, slot: EpochSeconds, reason: string): Promise<void> {
    if (readIn.get(source) === slot) return;
    const { first, last } = refusals.get(source) ?? { first: slot, last: slot };
    refusals.set(source, { first, last: slot, reason: reason.slice(0, REASON_MAX) });
    if (first === last && slot !== last) await change();
  }

  async function change(): Promise<void> {
    telemetry.sourcesRefused(list());
    // It is repeated every hour.
    await onChange().catch((error: unknown) => telemetry.fault('refused sources can not be published', error));
  }
}

export type RefusedSources = ReturnType<typeof createRefusedSources>;
