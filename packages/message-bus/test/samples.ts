import { randomUUID } from 'node:crypto';
import {
  boardWanted,
  formatInstant,
  pageWanted,
  registeredObserved,
  slotObserved,
  slotStored,
  titleStored,
  type Message,
  type ServiceName,
} from '@lobbystats/contracts';
import { handle, type Consumer, type Handler, type MessageBus, type PublishOptions } from '@lobbystats/message-bus';

/** The network of all tests. */
export const ORIGIN = 'simulated';

/** Messages of the tests go to this queue unless they say otherwise. */
export const QUEUE: ServiceName = 'collector';

export const TRACEPARENT = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

/** The data of a numbered message. */
export function page(number: number) {
  return {
    slot: '2026-01-31T18:05:00Z',
    titleId: number.toString(16).padStart(8, '0'),
    matches: true,
    metadata: false,
  };
}

/** The number of a message that {@link page} has numbered. */
export function numberOf({ data }: Message): number {
  return Number.parseInt((data as ReturnType<typeof page>).titleId, 16);
}

export function publishPage(bus: MessageBus, number: number, options?: PublishOptions): Promise<void> {
  return bus.publish(pageWanted, page(number), options);
}

export async function publishPages(
  bus: MessageBus,
  numbers: readonly number[],
  options?: PublishOptions,
): Promise<void> {
  await Promise.all(numbers.map((number) => publishPage(bus, number, options)));
}

/** Publishes a numbered message of a kind that stays in turn. */
export function publishBoard(bus: MessageBus, number: number, options?: PublishOptions): Promise<void> {
  const board = { pass: '2026-01-31T18:00:00Z', titleId: '4d530064', leaderboardId: number, name: '' };
  return bus.publish(boardWanted, board, options);
}

/** The number of a message that {@link publishBoard} has numbered. */
export function boardNumberOf({ data }: Message): number {
  return (data as { leaderboardId: number }).leaderboardId;
}

/** The queue's other messages, in tests of the numbered ones. */
export const noBoards = handle(boardWanted, () => Promise.resolve());

/** A consumer of numbered messages, whose backoff takes no time. */
export function pageConsumer(
  work: (number: number, message: Message) => unknown,
  options: Partial<Consumer> = {},
): Consumer {
  return {
    queue: QUEUE,
    handlers: [
      handle(pageWanted, async (message) => {
        await work(numberOf(message), message);
      }),
      noBoards,
    ],
    backoffMs: () => 0,
    ...options,
  };
}

/** A numbered fact, which goes to the log alone. */
export function publishFact(bus: MessageBus, number: number): Promise<void> {
  return bus.publish(slotStored, { slot: formatInstant(number * 300), online: number, lobbies: null });
}

export function factNumberOf({ data }: Message): number {
  return (data as { online: number }).online;
}

/** The handlers of the queue that also gets a fact. */
export function seriesHandlers(onTitleStored: (message: Message) => void): Handler[] {
  return [
    handle(slotObserved, () => Promise.resolve()),
    handle(registeredObserved, () => Promise.resolve()),
    handle(titleStored, async (message) => onTitleStored(message)),
  ];
}

/** A body like a published one, but for what is given. */
export function rawBody(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: randomUUID(),
    type: pageWanted.key,
    version: pageWanted.version,
    occurredAt: '2026-01-31T18:05:00Z',
    origin: ORIGIN,
    past: false,
    traceparent: TRACEPARENT,
    data: page(1),
    ...changes,
  });
}
