/**
 * `not-understood`: parsed but not trustworthy. `misdated`: `Date` of another time. `refused`: 4xx or redirect.
 * `unavailable`: no answer, a partial one or 5xx. `quiet`: `Retry-After` in effect. `busy`: locked by another reader.
 * `late`: deadline passed. `torn`: a board changed while it was read. `oversized`: too many entries. `unsayable`: no
 * message can carry it.
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

export class PageFailure extends Error {
  override readonly name: string = 'PageFailure';
  readonly kind: PageFailureKind;
  readonly isFinal: boolean = false;

  constructor(kind: PageFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

export class PageNotUnderstoodError extends PageFailure {
  override readonly name = 'PageNotUnderstoodError';
  readonly reason: string;
  /** Beginning and end of the page, in one bounded line for the log. */
  readonly sample: string;
  override readonly isFinal: boolean;

  constructor(reason: string, { sample = '', isFinal = false }: { sample?: string; isFinal?: boolean } = {}) {
    super('not-understood', `The page could not be understood: ${reason}`);
    this.reason = reason;
    this.sample = sample;
    this.isFinal = isFinal;
  }
}

/** Enough to recognise an error page and where a body was cut. */
const SAMPLE_EDGE_CHARACTERS = 120;

export function sampleOf(text: string): string {
  const oneLine = (part: string) => part.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (text.length <= 2 * SAMPLE_EDGE_CHARACTERS) return oneLine(text);
  return `${oneLine(text.slice(0, SAMPLE_EDGE_CHARACTERS))} … ${oneLine(text.slice(-SAMPLE_EDGE_CHARACTERS))}`;
}
