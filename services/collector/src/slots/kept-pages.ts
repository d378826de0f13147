import type { EpochSeconds } from '@lobbystats/contracts';
import type { SourceName } from '../sources/descriptions/source-forms.ts';

/** A page that the description of its source refused, or `slot`: the observation of a slot that lacks titles. */
export interface KeptPage {
  readonly slot: EpochSeconds;
  readonly source: SourceName | 'slot';
  /** They fill the placeholders of the source's URL. */
  readonly values: object;
}

/**
 * Pages that may be read once their description changes. Every method is atomic and idempotent. Throws AppError
 * `unavailable` without the store.
 */
export interface KeptPages {
  /** Keeps the last body of a page in a slot. `description` names the one that refused it. */
  put(page: KeptPage, body: Buffer, description: string): Promise<void>;
  /** All pages of the oldest slot before an instant that has pages which another description refused. */
  due(description: string, before: EpochSeconds): Promise<KeptPage[]>;
  body(page: KeptPage): Promise<Buffer | undefined>;
  /** Forgets the pages of a slot that another description refused. */
  deleteOthers(slot: EpochSeconds, description: string): Promise<void>;
  /** Forgets the pages of the slots from one to another, inclusive. */
  forget(from: EpochSeconds, to: EpochSeconds): Promise<void>;
  /** Forgets slots before an instant, and then the oldest ones until the bodies have at most so many bytes. */
  trim(before: EpochSeconds, maxBytes: number): Promise<void>;
}

/** Compresses what is kept, and bounds it. */
export interface PageKeeper {
  keep(page: KeptPage, text: string, description: string): Promise<void>;
  /** `""` for a page that is not kept. */
  text(page: KeptPage): Promise<string>;
  /** Forgets slots before an instant, and what exceeds the bound. */
  trim(before: EpochSeconds): Promise<void>;
}

/** The observation of a slot that lacks titles. */
export function slotPage(slot: EpochSeconds): KeptPage {
  return { slot, source: 'slot', values: {} };
}

/** The name of a page within its slot. */
export function nameOf({ source, values }: KeptPage): string {
  return JSON.stringify([source, values]);
}

export function keptPage(slot: EpochSeconds, name: string): KeptPage {
  const [source, values] = JSON.parse(name) as [KeptPage['source'], object];
  return { slot, source, values };
}
