/**
 * Why a page could not be had.
 *
 * - `not-understood`: it came, and doesn't say what it should, or not in a way that can be trusted.
 * - `misdated`: its `Date` is of another time than the slot's: a stale cache, or a clock that is wrong.
 * - `refused`: the network answered with an error status of the client's kind, or points elsewhere.
 * - `unavailable`: no answer, half an answer, or an error status of the server's kind.
 * - `quiet`: the network asked to be left alone (`Retry-After`) until after the reading is wanted.
 * - `busy`: somebody else is reading this very page.
 * - `late`: the time in which it was wanted is over.
 * - `torn`: the pages of a board don't fit together: it has changed while it was read.
 * - `oversized`: a board has more entries than boards may have.
 * - `unsayable`: no message can say what a board has: it is too long, or a text isn't what texts may be.
 */
export type PageFailureKind =
  | 'not-understood'
  | 'misdated'
  | 'refused'
  | 'unavailable'
  | 'quiet'
  | 'busy'
  | 'late'
  | 'torn'
  | 'oversized'
  | 'unsayable';

/** A page that could not be had: counted and tried again, never taken for an empty one. */
export class PageFailure extends Error {
  override readonly name: string = 'PageFailure';
  readonly kind: PageFailureKind;
  /** Whether asking again within the slot is of no use. */
  readonly isFinal: boolean = false;

  /** @param message what went wrong, in one line, without the page's content */
  constructor(kind: PageFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** A page that came and can't be understood. */
export class PageNotUnderstoodError extends PageFailure {
  override readonly name = 'PageNotUnderstoodError';
  /** What is wrong with the page. */
  readonly reason: string;
  /** Beginning and end of what came, in one line of bounded length, for the log. */
  readonly sample: string;
  override readonly isFinal: boolean;

  /** @param options `isFinal` for a page that took, or would take, more time or memory than pages may */
  constructor(reason: string, { sample = '', isFinal = false }: { sample?: string; isFinal?: boolean } = {}) {
    super('not-understood', `The page could not be understood: ${reason}`);
    this.reason = reason;
    this.sample = sample;
    this.isFinal = isFinal;
  }
}

/** How much of each end of a page goes into its sample: enough to see an error page, and where a body was cut. */
const SAMPLE_END = 120;

/** Beginning and end of a text as one line without control characters. */
export function sampleOf(text: string): string {
  const oneLine = (part: string) => part.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (text.length <= 2 * SAMPLE_END) return oneLine(text);
  return `${oneLine(text.slice(0, SAMPLE_END))} … ${oneLine(text.slice(-SAMPLE_END))}`;
}
