/** A position in the log of facts: behind the fact of this offset. */
export interface Position {
  readonly logId: string;
  readonly offset: number;
}

/** A position of the stream: one of the log, and so many events into the fact that follows. */
export interface EventId extends Position {
  /** Events of the next fact that the client has already received. */
  readonly skip: number;
}

/** The log's own positions alone, `<log id>-<offset>`: words that the bus also takes, such as `end`, are no event IDs. */
const FORM = /^([0-9a-f]{16})-(0|[1-9]\d{0,14})(?:~([1-9]\d{0,8}))?$/;

/** The ID of an event: the log's position alone after the last event of a fact. */
export function formatEventId({ position, skip }: { position: string; skip: number }): string {
  return skip === 0 ? position : `${position}~${skip}`;
}

/** Undefined for a text that is no event ID. */
export function parseEventId(text: string): EventId | undefined {
  const [, logId, offset, skip = '0'] = FORM.exec(text) ?? [];
  return logId === undefined ? undefined : { logId, offset: Number(offset), skip: Number(skip) };
}

/** A position as the log gives it. */
export function formatPosition({ logId, offset }: Position): string {
  return `${logId}-${offset}`;
}

/** @throws RangeError for a text that is no position of a log */
export function parsePosition(position: string): Position {
  const id = parseEventId(position);
  if (id === undefined || id.skip > 0) throw new RangeError(`"${position}" is no position of the log`);
  return { logId: id.logId, offset: id.offset };
}
