import { formatInstant } from '@lobbystats/contracts';
import type { CollectorConfig } from './config.ts';
import { createContext, type CollectorOverrides, type Context } from './context.ts';
import type { CollectorStatus } from './domain/collector-status.ts';
import { pagesInHand } from './domain/page-reading.ts';
import { boardsInHand, createBoardCollection } from './domain/board-collection.ts';
import { NO_ERRANDS } from './domain/errands.ts';
import { createSlotCollection } from './domain/slot-collection.ts';
import { endMsOf, slotAt } from './domain/slot-times.ts';
import { createBusOutlet } from './messaging/bus-outlet.ts';
import { consumeJobs } from './messaging/consume-jobs.ts';
import { publishedWhere } from './published-where.ts';

/** How long a single slot may take at most, whenever it is begun; its own end comes first. */
const MOST_MS = 120_000;
const LEAST_MS = 60_000;
const LOOK_MS = 100;

/**
 * Collects the current slot, publishes it and stops. Returns the exit code: 0 complete, 1 nothing collected, 2 titles
 * missing.
 *
 * @param say takes each line for people
 * @returns 0: complete. 1: nothing was collected. 2: titles are missing.
 */
export async function collectOnce(
  config: CollectorConfig,
  say: (line: string) => void,
  overrides: CollectorOverrides = {},
): Promise<0 | 1 | 2> {
  const context = await createContext(config, overrides);
  try {
    return await collect(context, config, say);
  } finally {
    context.stopping.abort();
    for (const close of context.closers.toReversed()) await close();
  }
}

async function collect(context: Context, config: CollectorConfig, say: (line: string) => void): Promise<0 | 1 | 2> {
  const { bus, store, time, backoff, settleMs, status, stopping } = context;
  const parts = { ...context, outlet: createBusOutlet(bus), stopping: stopping.signal };
  const { keeper, readPage } = createSlotCollection({ ...parts, errands: NO_ERRANDS });
  const boardsAtOnce = boardsInHand(config.COLLECTOR_MAX_RPS);
  const { readBoard } = createBoardCollection({ ...parts, boardsInHand: boardsAtOnce });
  let slot = slotAt(time.now());
  if (endMsOf(slot) - time.now() < LEAST_MS) {
    say(`The slot ${formatInstant(slot)} is nearly over: waiting for the next.`);
    await time.sleep(endMsOf(slot) - time.now(), stopping.signal);
    slot = slotAt(time.now());
  }
  await time.sleep(Math.max(0, slot * 1000 + settleMs - time.now()), stopping.signal);
  const beganMs = time.now();
  const deadlineMs = Math.min(beganMs + MOST_MS, endMsOf(slot));
  if (!(await keeper.begin(slot, deadlineMs))) {
    say(
      `The slot ${formatInstant(slot)} has been collected already: the next begins at ${formatInstant(endMsOf(slot) / 1000)}.`,
    );
    return 1;
  }
  const prefetch = pagesInHand(config.COLLECTOR_MAX_RPS) + boardsAtOnce;
  const consumer = await consumeJobs({ bus, readPage, readBoard, prefetch, backoffMs: backoff });
  for (let isOver = false; !isOver;) {
    await keeper.attend();
    const state = await store.slots.state(slot);
    const isSettled = state !== 'open' && state !== 'finished';
    isOver = isSettled && ((await bus.depth('collector')) === 0 || time.now() >= deadlineMs);
    if (!isOver) await time.sleep(LOOK_MS, stopping.signal);
  }
  await keeper.settled();
  await consumer.stop();
  if ((await store.slots.state(slot)) === 'missed') {
    say(`The slot ${formatInstant(slot)} was missed: the homepage could not be had (${requestsOf(status)}).`);
    return 1;
  }
  return summarise(status, config.BUS_URL, (time.now() - beganMs) / 1000, say);
}

function summarise(status: CollectorStatus, busUrl: string, seconds: number, say: (line: string) => void): 0 | 2 {
  const { lastSlot } = status;
  if (lastSlot === null) {
    say('The slot was finished by another collector.');
    return 0;
  }
  const { slot, online, registered, lobbies, titles, active, missing } = lastSlot;
  say(`Slot ${slot}, collected in ${seconds.toFixed(1)} s`);
  say(`  online ${online}, registered ${registered ?? 'unknown'}, open lobbies ${lobbies ?? 'unknown'}`);
  say(`  titles ${titles}, played ${active}, missing ${missing}`);
  say(`  ${requestsOf(status)}`);
  say(`  ${publishedWhere(busUrl)}`);
  return missing === 0 ? 0 : 2;
}

function requestsOf({ pagesHad, pagesFailed, requests }: CollectorStatus): string {
  return `pages read ${pagesHad}, failed ${pagesFailed}, requests ${requests}`;
}
