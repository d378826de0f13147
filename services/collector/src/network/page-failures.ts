/**
 * `unparseable`: parsed but not trustworthy. `wrong-date`: `Date` of another time. `rejected`: 4xx or redirect.
 * `unavailable`: no answer, a partial one or 5xx. `rate-limited`: `Retry-After` in effect. `busy`: being requested.
 * `late`: deadline passed. `inconsistent`: a board changed while it was read, or a
 * homepage is far from those of the last hour. `oversized`: too many entries. `unpublishable`: no
 * message can carry it. `absent`: the network lacks the whole source.
 */
export type PageFailureKind =
  | 'unparseable'
  | 'wrong-date'
  | 'rejected'
  | 'unavailable'
  | 'rate-limited'
  | 'busy'
  | 'late'
  | 'inconsistent'
  | 'oversized'
  | 'unpublishable'
  | 'absent';

export class PageFailure extends Error {
  override readonly name: string = 'PageFailure';
  readonly kind: PageFailureKind;
  readonly isFinal: boolean = false;
  /** Of the page, once it is reported. */
  url: string | undefined;

  constructor(kind: PageFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

export class UnparseablePageError extends PageFailure {
  override readonly name = 'UnparseablePageError';
  readonly reason: string;
  /** Beginning and end of the page, in one bounded line for the log. */
  readonly sample: string;
  override readonly isFinal: boolean;
  /** The answer isn't of the expected media type: many sites answer a path that they don't have with a page. */
  readonly isOtherType: boolean;
  /** Lines of NETWORK_SOURCES_FILE, one of which would read the page. */
  readonly lines: readonly string[];

  constructor(
    reason: string,
    {
      sample = '',
      isFinal = false,
      isOtherType = false,
      lines = [],
    }: { sample?: string; isFinal?: boolean; isOtherType?: boolean; lines?: readonly string[] } = {},
  ) {
    super('unparseable', `The page could not be understood: ${reason}`);
    this.reason = reason;
    this.sample = sample;
    this.isFinal = isFinal;
    this.isOtherType = isOtherType;
    this.lines = lines;
  }
}

/** The reason when the failure of a page means that the network doesn't have it; else undefined. */
export function absenceOf(error: unknown): string | undefined {
  if (error instanceof UnparseablePageError) return error.isOtherType ? error.reason : undefined;
  return error instanceof PageFailure && error.kind === 'rejected' ? error.message : undefined;
}

/** The command that describes a page that was not understood; undefined for other failures. */
export function remedyOf(failure: PageFailure, url = failure.url): string | undefined {
  const isDescribable = failure instanceof UnparseablePageError && !failure.isOtherType && !failure.isFinal;
  return isDescribable && url !== undefined ? describeCommand(url) : undefined;
}

export function describeCommand(source: string): string {
  return `npx lobbystats network describe "${source}"`;
}

/** A failure as JSON: replicas report it to the leader. */
export interface PlainFailure {
  kind: PageFailureKind;
  message: string;
  unparseable?: Pick<UnparseablePageError, 'reason' | 'sample' | 'isFinal' | 'isOtherType'>;
}

export function plainFailure(failure: PageFailure): PlainFailure {
  const { kind, message } = failure;
  if (!(failure instanceof UnparseablePageError)) return { kind, message };
  const { reason, sample, isFinal, isOtherType } = failure;
  return { kind, message, unparseable: { reason, sample, isFinal, isOtherType } };
}

export function failureFrom({ kind, message, unparseable }: PlainFailure): PageFailure {
  return unparseable === undefined
    ? new PageFailure(kind, message)
    : new UnparseablePageError(unparseable.reason, unparseable);
}

/** Enough to recognise an error page and where a body was cut. */
const SAMPLE_EDGE_CHARACTERS = 120;

export function sampleOf(text: string): string {
  const oneLine = (part: string) => part.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (text.length <= 2 * SAMPLE_EDGE_CHARACTERS) return oneLine(text);
  return `${oneLine(text.slice(0, SAMPLE_EDGE_CHARACTERS))} … ${oneLine(text.slice(-SAMPLE_EDGE_CHARACTERS))}`;
}
