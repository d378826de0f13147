import { setImmediate } from 'node:timers/promises';
import { boardConfirmed, boardObserved, parseInstant, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { BoardCatalog, BoardCounts } from './board-catalog.ts';
import type { BoardObservation } from './board-observation.ts';

const BATCH = 32;

/** Calls `onObserved` after each commit. */
export function boardHandler(catalog: BoardCatalog, onObserved: (counts: BoardCounts) => void): Handler {
  const observe = async (messages: ObservedMessage[], past: boolean): Promise<void> => {
    const observations = messages.filter((message) => message.past === past).map(toObservation);
    if (observations.length === 0) return;
    await catalog.observe(observations, past, onObserved);
  };
  return handleBatch(boardObserved, BATCH, async (messages) => {
    await observe(messages, true);
    await observe(messages, false);
    // A store in this process commits without yielding.
    await setImmediate();
  });
}

const CONFIRMED_BATCH = 100;

export function confirmationHandler(catalog: BoardCatalog): Handler {
  return handleBatch(boardConfirmed, CONFIRMED_BATCH, (messages) =>
    catalog.confirm(
      messages.map(({ data: { pass, seenAt, ...board } }) => ({
        ...board,
        pass: parseInstant(pass),
        seenAt: parseInstant(seenAt),
      })),
    ),
  );
}

type ObservedMessage = Message<z.output<typeof boardObserved.data>>;

function toObservation({ data: { pass, seenAt, ...board } }: ObservedMessage): BoardObservation {
  return { ...board, pass: parseInstant(pass), seenAt: parseInstant(seenAt) };
}
