/** Where a reader of the stream stands: behind a place in the log of facts, and so many events into the fact that follows. */
export interface EventId {
  /** A position of the log, as the log gives it. */
  readonly position: string;
  /** Events of the next fact that have been had. */
  readonly had: number;
}

/** No log's positions are nearly as long. */
const ID_MAX = 128;
const FORM = /^([\x21-\x7d]+?)(?:~([1-9]\d{0,8}))?$/;

/** An event's id as the stream says it: the position of the log alone where a fact ends. */
export function formatEventId({ position, had }: EventId): string {
  return had === 0 ? position : `${position}~${had}`;
}

/** What an id says; undefined for a text that can be no id of a stream. */
export function parseEventId(text: string): EventId | undefined {
  const [, position, had = '0'] = text.length <= ID_MAX ? (FORM.exec(text) ?? []) : [];
  return position === undefined ? undefined : { position, had: Number(had) };
}
