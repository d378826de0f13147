import { nameKey, usernameKey, type StreamTopic } from '@lobbystats/contracts';
import type { TopicEvents } from './topic-events.ts';

export interface StreamFrame {
  readonly after: string;
  readonly offset: number;
  readonly topic: StreamTopic;
  readonly bytes: Buffer;
  /** Ascending. Empty if all events were removed. */
  readonly marks: readonly StreamMark[];
}

interface StreamMark {
  readonly number: number;
  readonly end: number;
  /** Key of the user. */
  readonly subject: string | undefined;
  /** Key of the user, player or host that the event names. */
  readonly name: string | undefined;
  /** Title ID of the event's game; null: of no game; undefined: its topic has none. */
  readonly titleId: string | null | undefined;
}

interface FactPositions {
  readonly before: string;
  readonly after: string;
}

/** Serializes a fact's events, once for all readers. */
export function frameOf({ before, after }: FactPositions, { topic, events }: TopicEvents): StreamFrame {
  const pieces = events.map((data, index) => {
    const isLast = index === events.length - 1;
    const id = isLast ? after : formatEventId({ position: before, skip: index + 1 });
    return Buffer.from(`id: ${id}\nevent: ${topic}\ndata: ${JSON.stringify(data)}\n\n`);
  });
  let end = 0;
  const marks = pieces.map(({ length }, index) => {
    end += length;
    return {
      number: index + 1,
      end,
      subject: subjectOf(events[index]),
      name: nameOf(events[index]),
      titleId: titleOf(events[index]),
    };
  });
  return { after, offset: parsePosition(after).offset, topic, bytes: Buffer.concat(pieces, end), marks };
}

export function bytesAfter({ bytes, marks }: StreamFrame, skip: number): Buffer {
  const skipped = marks.findLast(({ number }) => number <= skip);
  return skipped === undefined ? bytes : bytes.subarray(skipped.end);
}

/** Names and games whose events a reader gets, beside events that have none. */
export class EventFilter {
  readonly #names: ReadonlySet<string> | undefined;
  readonly #titleIds: ReadonlySet<string | null> | undefined;

  /** Undefined: all. */
  constructor(names: readonly string[] | undefined, titleIds: readonly string[] | undefined) {
    this.#names = names && new Set(names.flatMap((name) => [usernameKey(name), nameKey(name)]));
    this.#titleIds = titleIds && new Set(titleIds);
  }

  has({ name, titleId }: StreamMark): boolean {
    const isNamed = name === undefined || this.#names?.has(name) !== false;
    return isNamed && (titleId === undefined || this.#titleIds?.has(titleId) !== false);
  }
}

/** Removes events that name a user; returns the same frame if there are none. */
export function withoutUser(frame: StreamFrame, key: string): StreamFrame {
  return filterEvents(frame, ({ subject }) => subject !== key);
}

/** Removes events that a test fails; returns the same frame if there are none. */
export function filterEvents(frame: StreamFrame, test: (mark: StreamMark) => boolean): StreamFrame {
  const { marks, bytes } = frame;
  if (marks.every(test)) return frame;
  const pieces: Buffer[] = [];
  const left: StreamMark[] = [];
  let start = 0;
  let end = 0;
  for (const mark of marks) {
    if (test(mark)) {
      pieces.push(bytes.subarray(start, mark.end));
      end += mark.end - start;
      left.push({ ...mark, end });
    }
    start = mark.end;
  }
  return { ...frame, bytes: Buffer.concat(pieces, end), marks: left };
}

function subjectOf(data: object | undefined): string | undefined {
  return data !== undefined && 'username' in data && typeof data.username === 'string'
    ? usernameKey(data.username)
    : undefined;
}

function nameOf(data: object = {}): string | undefined {
  const { username, playerName, hostName } = data as Partial<Record<'username' | 'playerName' | 'hostName', unknown>>;
  if (typeof username === 'string') return usernameKey(username);
  const name = playerName ?? hostName;
  return typeof name === 'string' ? nameKey(name) : undefined;
}

function titleOf(data: object = {}): string | null | undefined {
  const { titleId, title_id: id = titleId } = data as Partial<Record<'titleId' | 'title_id', string | null>>;
  return id;
}

export interface Position {
  readonly logId: string;
  readonly offset: number;
}

export interface EventId extends Position {
  readonly skip: number;
}

/** Only log positions, `<log id>-<offset>`: keywords that the bus accepts too, such as `end`, are not event IDs. */
const FORM = /^([0-9a-f]{16})-(0|[1-9]\d{0,14})(?:~([1-9]\d{0,8}))?$/;

function formatEventId({ position, skip }: { position: string; skip: number }): string {
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
