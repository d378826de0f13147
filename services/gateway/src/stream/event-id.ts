export interface Position {
  readonly logId: string;
  readonly offset: number;
}

export interface EventId extends Position {
  readonly skip: number;
}

/** Only log positions, `<log id>-<offset>`: keywords that the bus accepts too, such as `end`, are not event IDs. */
const FORM = /^([0-9a-f]{16})-(0|[1-9]\d{0,14})(?:~([1-9]\d{0,8}))?$/;

export function formatEventId({ position, skip }: { position: string; skip: number }): string {
  return skip === 0 ? position : `${position}~${skip}`;
}

export function parseEventId(text: string): EventId | undefined {
  const [, logId, offset, skip = '0'] = FORM.exec(text) ?? [];
  return logId === undefined ? undefined : { logId, offset: Number(offset), skip: Number(skip) };
}

export function formatPosition({ logId, offset }: Position): string {
  return `${logId}-${offset}`;
}

/** @throws RangeError for a text that is not a log position */
export function parsePosition(position: string): Position {
  const id = parseEventId(position);
  if (id === undefined || id.skip > 0) throw new RangeError(`"${position}" is not a log position`);
  return { logId: id.logId, offset: id.offset };
}
