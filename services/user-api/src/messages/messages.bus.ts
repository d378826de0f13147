import { setImmediate } from 'node:timers/promises';
import {
  achievementUnlocked,
  boardStored,
  changeRecorded,
  eventStored,
  matchEnded,
  parseInstant,
  playerRanked,
  playersObserved,
  playObserved,
  ratingStored,
  slotObserved,
  slotWithdrawn,
  titleStored,
  type Message,
  type MessageType,
} from '@lobbystats/contracts';
import { handle, handleBatch, type Handler, type MessageBus, type Subscription } from '@lobbystats/service-kit/bus';
import type { z } from 'zod';
import type { FollowTriggers } from '../following/follow-triggers.ts';
import type { ObservationResult, UserCatalog } from '../observations/user-catalog.ts';

type OnResult = (observed: ObservationResult) => void;

/** `onObserved` runs after each batch; after a change, facts wait in the outbox. */
export function consumeMessages(
  bus: MessageBus,
  { catalog, triggers, onObserved }: { catalog: UserCatalog; triggers: FollowTriggers; onObserved: OnResult },
): Promise<Subscription> {
  const handlers = [
    ...followHandlers(triggers),
    inBatches(playersObserved, onObserved, {
      limit: 16,
      sizeOf: ({ players }) => players.length,
      apply: async (messages, past) => {
        const polls = messages.map(toPoll);
        if (!past) await triggers.applyPolls(polls);
        return catalog.applyPresence(polls, past);
      },
    }),
    inBatches(playObserved, onObserved, {
      limit: 16,
      sizeOf: ({ players }) => players.length,
      apply: (messages, past) => catalog.applyPlayTime(messages.map(toPlay), past),
    }),
    inBatches(matchEnded, onObserved, {
      limit: 32,
      sizeOf: ({ matches, retracted = [] }) => matches.length + retracted.length,
      apply: (messages, past) => catalog.applyMatches(messages.map(toEndedMatches), past),
    }),
    inBatches(playerRanked, onObserved, {
      limit: 32,
      sizeOf: ({ ranks }) => ranks.length,
      apply: async (messages, past) => {
        const ranked = messages.map(withTime);
        if (!past) await triggers.applyRanks(ranked);
        return catalog.applyRanks(ranked, past);
      },
    }),
    inBatches(ratingStored, onObserved, {
      limit: 100,
      sizeOf: ({ raters }) => raters.length,
      apply: (messages, past) => catalog.applyRatings(messages.map(withTime), past),
    }),
    handle(slotWithdrawn, async ({ data: { slots, withdrawnAt } }) => {
      if (slots === null) return;
      const range = { from: parseInstant(slots.from), to: parseInstant(slots.to) };
      onObserved(await catalog.withdrawSlots({ ...range, at: parseInstant(withdrawnAt) }));
    }),
  ];
  return bus.consume({ queue: 'user-api', handlers });
}

/** Facts that matter to followers alone. The past is no news, but it has the names of games and tells what is not new. */
function followHandlers(triggers: FollowTriggers): Handler[] {
  return [
    handle(slotObserved, async ({ past, data: { slot, titles } }) => {
      if (!past) await triggers.applySlot(parseInstant(slot), titles);
    }),
    handle(titleStored, ({ data: { titles } }) => triggers.applyTitles(titles)),
    handle(boardStored, ({ past, occurredAt, data: { boards } }) =>
      triggers.applyBoards(boards, parseInstant(occurredAt), past),
    ),
    handle(changeRecorded, async ({ past, data: { changes, records } }) => {
      if (!past) await triggers.applyChanges(changes, records);
    }),
    handle(eventStored, ({ data: { events, withdrawn } }) => triggers.applyEvents(events, withdrawn)),
    handle(achievementUnlocked, async ({ past, data: { unlocks } }) => {
      if (!past) await triggers.applyUnlocks(unlocks);
    }),
  ];
}

interface BatchHandling<Data> {
  /** Messages at once. */
  readonly limit: number;
  /** Counts the items of a message. */
  readonly sizeOf: (data: Data) => number;
  readonly apply: (messages: readonly Message<Data>[], past: boolean) => Promise<ObservationResult>;
}

/** Handles messages in batches of about {@link ITEMS_PER_BATCH} items, live ones first. */
function inBatches<Data extends z.ZodType>(
  type: MessageType<Data>,
  onObserved: OnResult,
  { limit, sizeOf, apply }: BatchHandling<z.output<Data>>,
): Handler {
  return handleBatch(type, limit, async (messages) => {
    for (const past of [false, true]) {
      const selected = messages.filter((message) => message.past === past);
      for (const step of splitIntoBatches(selected, sizeOf)) {
        onObserved(await apply(step, past));
        // A store in this process commits without yielding.
        await setImmediate();
      }
    }
  });
}

/** A commit of this size takes about 30 ms. */
const ITEMS_PER_BATCH = 1000;

function splitIntoBatches<Data>(messages: readonly Message<Data>[], sizeOf: (data: Data) => number): Message<Data>[][] {
  const steps: Message<Data>[][] = [];
  let size = Infinity;
  for (const message of messages) {
    const more = sizeOf(message.data);
    if (size + more > ITEMS_PER_BATCH) {
      steps.push([]);
      size = 0;
    }
    steps.at(-1)?.push(message);
    size += more;
  }
  return steps;
}

type DataOf<Type> = Type extends MessageType<infer Data> ? z.output<Data> : never;

function toPoll({ data: { seenAt, players } }: Message<DataOf<typeof playersObserved>>) {
  return {
    at: parseInstant(seenAt),
    players: players.map((player) => ({ ...player, lastSeenAt: parseInstant(player.lastSeenAt) })),
  };
}

function toPlay({ occurredAt, data: { players } }: Message<DataOf<typeof playObserved>>) {
  const toSpan = ({ titleId, from, to }: (typeof players)[number]['spans'][number]) => {
    return { titleId, from: parseInstant(from), to: parseInstant(to) };
  };
  return {
    at: parseInstant(occurredAt),
    players: players.map((player) => ({ ...player, spans: player.spans.map(toSpan) })),
  };
}

function toEndedMatches({ occurredAt, data: { matches, retracted = [] } }: Message<DataOf<typeof matchEnded>>) {
  const toEnd = ({ host, endedAt }: { host: string; endedAt: string }) => ({ host, endedAt: parseInstant(endedAt) });
  return {
    at: parseInstant(occurredAt),
    matches: [...retracted.map((end) => ({ ...toEnd(end), isRetracted: true })), ...matches.map(toEnd)],
  };
}

function withTime<Data extends object>({ occurredAt, data }: Message<Data>) {
  return { ...data, at: parseInstant(occurredAt) };
}
