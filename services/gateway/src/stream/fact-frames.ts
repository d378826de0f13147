import { userErased, usernameKey, type Message } from '@lobbystats/contracts';
import { frameOf, type StreamFrame } from './stream-frame.ts';
import { topicEventsOf, type TitleNames } from './topic-events.ts';

export interface LoggedFact {
  readonly position: string;
  readonly message: Message;
}

/** Number of newest message IDs that are stored to drop duplicates. */
const REMEMBERED_MAX = 4096;

export class FactFrames {
  readonly #titles: TitleNames;
  readonly #seen = new Set<string>();
  #before: string;

  /** @param from the log's position before the first fact */
  constructor(from: string, titles: TitleNames) {
    this.#before = from;
    this.#titles = titles;
  }

  next({ position, message }: LoggedFact): StreamFrame | undefined {
    const before = this.#before;
    this.#before = position;
    const topicEvents = topicEventsOf(message, this.#titles);
    if (topicEvents === undefined || this.#isRepeated(message.id)) return undefined;
    return frameOf({ before, after: position }, topicEvents);
  }

  #isRepeated(id: string): boolean {
    if (this.#seen.has(id)) return true;
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED_MAX && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }
}

/** The key of the user whose data a fact erases. */
export function erasedUser({ type, data }: Message): string | undefined {
  return type === userErased.key ? usernameKey(userErased.data.parse(data).username) : undefined;
}
