import { randomUUID } from 'node:crypto';
import {
  boardRequested,
  formatInstant,
  pageRequested,
  registeredObserved,
  slotWithdrawn,
  slotObserved,
  slotStored,
  titleStored,
  type Message,
  type ServiceName,
} from '@lobbystats/contracts';
import { handle, type Consumer, type Handler, type MessageBus, type PublishOptions } from '../../src/bus/index.ts';

/** The network of all tests. */
export const ORIGIN = 'simulated';

/** Default queue of the test messages. */
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

/** The number of a message of {@link page}. */
export function numberOf({ data }: Message): number {
  return Number.parseInt((data as ReturnType<typeof page>).titleId, 16);
}

export function publishPage(bus: MessageBus, number: number, options?: PublishOptions): Promise<void> {
  return bus.publish(pageRequested, page(number), options);
}

export async function publishPages(
  bus: MessageBus,
  numbers: readonly number[],
  options?: PublishOptions,
): Promise<void> {
  await Promise.all(numbers.map((number) => publishPage(bus, number, options)));
}

/** Publishes a numbered message of an ordered type. */
export function publishBoard(bus: MessageBus, number: number, options?: PublishOptions): Promise<void> {
  const board = { pass: '2026-01-31T18:00:00Z', titleId: '4d530064', leaderboardId: number, name: '' };
  return bus.publish(boardRequested, board, options);
}

/** The number of a message of {@link publishBoard}. */
export function boardNumberOf({ data }: Message): number {
  return (data as { leaderboardId: number }).leaderboardId;
}

/** Handles the other messages of the queue. */
export const ignoreBoards = handle(boardRequested, () => Promise.resolve());

/** A consumer of numbered messages without backoff. */
export function pageConsumer(
  work: (number: number, message: Message) => unknown,
  options: Partial<Consumer> = {},
): Consumer {
  return {
    queue: QUEUE,
    handlers: [
      handle(pageRequested, async (message) => {
        await work(numberOf(message), message);
      }),
      ignoreBoards,
    ],
    backoffMs: () => 0,
    ...options,
  };
}

/** Publishes a numbered fact, which goes to the log only. */
export function publishFact(bus: MessageBus, number: number, options?: PublishOptions): Promise<void> {
  return bus.publish(slotStored, { slot: formatInstant(number * 300), online: number, lobbies: null }, options);
}

export function factNumberOf({ data }: Message): number {
  return (data as { online: number }).online;
}

/** Handlers of a queue that receives facts too. */
export function seriesHandlers(onTitleStored: (message: Message) => void): Handler[] {
  return [
    handle(slotObserved, () => Promise.resolve()),
    handle(registeredObserved, () => Promise.resolve()),
    handle(slotWithdrawn, () => Promise.resolve()),
    handle(titleStored, async (message) => onTitleStored(message)),
  ];
}

/** A published body with changes. */
export function rawBody(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: randomUUID(),
    type: pageRequested.key,
    version: pageRequested.version,
    occurredAt: '2026-01-31T18:05:00Z',
    origin: ORIGIN,
    past: false,
    traceparent: TRACEPARENT,
    data: page(1),
    ...changes,
  });
}
