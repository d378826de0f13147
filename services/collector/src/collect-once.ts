import { formatInstant } from '@lobbystats/contracts';
import { describeDestination, type CollectorConfig } from './config.ts';
import { leadOnce, type Collection } from './context.ts';
import { collectorService, type CollectorOverrides } from './service.ts';
import type { CollectorStatus } from './telemetry/collector-status.ts';
import { maxConcurrentPages } from './slots/collect-page.ts';
import { maxConcurrentBoards, createBoardCollection } from './side-tasks.ts';
import { NO_SIDE_TASKS } from './slots/slot-side-tasks.ts';
import { createSlotCollection } from './slots/slot-collection.ts';
import { endMsOf, slotAt } from './time/slot-times.ts';
import { consumeJobs } from './messages/jobs.bus.ts';

/** Longest collection of a single slot; the end of the slot comes first. */
const MAX_DURATION_MS = 120_000;
const MIN_REMAINING_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/**
 * Collects the current slot, publishes it and stops. Returns the exit code: 0 complete, 1 nothing collected, 2 titles
 * missing.
 *
 * @param printLine writes one line to the terminal
 */
export async function collectOnce(
  config: CollectorConfig,
  printLine: (line: string) => void,
  overrides: CollectorOverrides = {},
): Promise<0 | 1 | 2> {
  const code = await collectorService.withParts(config, overrides, (context) =>
    leadOnce(context, (collection) => collect(collection, config, printLine)),
  );
  if (code === undefined) printLine('Other collectors run, and collect the slot: stop them first.');
  return code ?? 1;
}

async function collect(
  collection: Collection,
  config: CollectorConfig,
  printLine: (line: string) => void,
): Promise<0 | 1 | 2> {
  const { bus, store, time, backoff, settleMs, status, stopping } = collection;
  const { keeper, readPage } = createSlotCollection({ ...collection, sideTasks: NO_SIDE_TASKS });
  const boardsAtOnce = maxConcurrentBoards(config.COLLECTOR_MAX_RPS);
  const { readBoard } = createBoardCollection({ ...collection, maxConcurrentBoards: boardsAtOnce });
  let slot = slotAt(time.now());
  if (endMsOf(slot) - time.now() < MIN_REMAINING_MS) {
    printLine(`The slot ${formatInstant(slot)} is nearly over: waiting for the next one.`);
    await time.sleep(endMsOf(slot) - time.now(), stopping);
    slot = slotAt(time.now());
  }
  await time.sleep(Math.max(0, slot * 1000 + settleMs - time.now()), stopping);
  const beganMs = time.now();
  const deadlineMs = Math.min(beganMs + MAX_DURATION_MS, endMsOf(slot));
  if (!(await keeper.begin(slot, deadlineMs))) {
    printLine(
      `The slot ${formatInstant(slot)} has been collected already: the next begins at ${formatInstant(endMsOf(slot) / 1000)}.`,
    );
    return 1;
  }
  const prefetch = maxConcurrentPages(config.COLLECTOR_MAX_RPS) + boardsAtOnce;
  const consumer = await consumeJobs({ bus, readPage, readBoard, prefetch, backoffMs: backoff });
  for (let isOver = false; !isOver;) {
    await keeper.maintain();
    const state = await store.slots.state(slot);
    const isSettled = state !== 'open' && state !== 'finished';
    isOver = isSettled && ((await bus.depth('collector')) === 0 || time.now() >= deadlineMs);
    if (!isOver) await time.sleep(POLL_INTERVAL_MS, stopping);
  }
  await keeper.onIdle();
  await consumer.stop();
  if ((await store.slots.state(slot)) === 'missed') {
    printLine(`The slot ${formatInstant(slot)} was missed: the homepage could not be read (${requestsOf(status)}).`);
    return 1;
  }
  return summarise(status, config.BUS_URL, (time.now() - beganMs) / 1000, printLine);
}

function summarise(status: CollectorStatus, busUrl: string, seconds: number, printLine: (line: string) => void): 0 | 2 {
  const { lastSlot } = status;
  if (lastSlot === null) {
    printLine('The slot was finished by another collector.');
    return 0;
  }
  const { slot, online, registered, lobbies, titles, active, missing } = lastSlot;
  printLine(`Slot ${slot}, collected in ${seconds.toFixed(1)} s`);
  printLine(`  online ${online}, registered ${registered ?? 'unknown'}, open lobbies ${lobbies ?? 'unknown'}`);
  printLine(`  titles ${titles}, played ${active}, missing ${missing}`);
  printLine(`  ${requestsOf(status)}`);
  printLine(`  ${describeDestination(busUrl)}`);
  return missing === 0 ? 0 : 2;
}

function requestsOf({ pagesRead, pagesFailed, requests }: CollectorStatus): string {
  return `pages read ${pagesRead}, failed ${pagesFailed}, requests ${requests}`;
}
