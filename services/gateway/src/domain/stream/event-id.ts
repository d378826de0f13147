/** A place in a log of facts: behind the fact of this offset. */
export interface LogPlace {
  /** The log's own id. */
  readonly log: string;
  readonly offset: number;
}

/** Where a reader of the stream stands: at a place of the log, and so many events into the fact that follows. */
export interface EventId extends LogPlace {
  /** Events of the next fact that have been had. */
  readonly had: number;
}

/** The log's positions alone: `<log id>-<offset>`. Words that the bus also takes, such as `end`, are no event's id. */
const FORM = /^([0-9a-f]{16})-(0|[1-9]\d{0,14})(?:~([1-9]\d{0,8}))?$/;

/** An event's id as the stream says it: the position of the log alone where a fact ends. */
export function formatEventId({ position, had }: { position: string; had: number }): string {
  return had === 0 ? position : `${position}~${had}`;
}

/** What an id says; undefined for a text that can be no id of a stream. */
export function parseEventId(text: string): EventId | undefined {
  const [, log, offset, had = '0'] = FORM.exec(text) ?? [];
  return log === undefined ? undefined : { log, offset: Number(offset), had: Number(had) };
}

/** A position as the log gives it. */
export function formatPlace({ log, offset }: LogPlace): string {
  return `${log}-${offset}`;
}

/** @throws RangeError for a text that is no position of a log */
export function parsePosition(position: string): LogPlace {
  const id = parseEventId(position);
  if (id === undefined || id.had > 0) throw new RangeError(`"${position}" is no position of the log`);
  return { log: id.log, offset: id.offset };
}
