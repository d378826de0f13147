import {
  BOARD_PASS_SECONDS,
  DAY_SECONDS,
  formatTimestamp,
  MATCH_GAP_SECONDS,
  parseInstant,
  SLOT_SECONDS,
} from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { compose, gatewayUrl, world } from '../compose/stack.ts';
import { expectBoards, expectPastBoards } from '../standalone/expect-boards.ts';
import { expectChanges } from '../standalone/expect-changes.ts';
import { expectSiteSeries, expectTitleSeries, simulatedSlots } from '../standalone/expect-series.ts';
import { siteClient } from '../standalone/site-client.ts';
import { everyBoard, type Passes } from '../standalone/reference-changes.ts';

/** Days that the stack of the faults reads. */
export const PAST = { BACKFILL_DAYS: '2' };

/** A backfill leaves thousands of messages, of which a slow machine has consumed 17 a second. */
const DRAIN = { timeoutMs: 1_200_000, everyMs: 2000 };

/** Waits until the past is stored. Fails unless series, matches, leaderboards and changes are those of the simulator, each once. */
export async function expectWholeBackfill(): Promise<void> {
  const began = await firstStart();
  await eventually(async () => {
    const end = began - (began % SLOT_SECONDS);
    const [earliest] = await siteClient(gatewayUrl).getOnlineSeries({ days: 30 });
    const first = parseInstant(earliest?.recorded_at ?? '');
    // The past ends before the first slot that is read live: the current one if a collector leads before its deadline, else the next.
    const allowed = [end, end + SLOT_SECONDS].map((live) => live - Number(PAST.BACKFILL_DAYS) * DAY_SECONDS);
    expect(allowed).toContain(first);
    const past = simulatedSlots(world, first, end - SLOT_SECONDS);
    const collected = new Set(await expectSiteSeries(gatewayUrl, past));
    expect([...past.keys()].filter((time) => !collected.has(time))).toEqual([]);
    const titles = past.get(formatTimestamp(end - SLOT_SECONDS))?.titles ?? [];
    const horizon = formatTimestamp(end - MATCH_GAP_SECONDS - SLOT_SECONDS);
    for (const { titleId } of titles.toSorted((a, b) => b.online - a.online).slice(0, 3))
      await expectTitleSeries(gatewayUrl, titleId, { truth: past, collected, horizon });
  }, DRAIN);
  await eventually(() => expectBackfilledBoards(began), DRAIN);
}

/** When the first collector started, which the backfill ends with. */
async function firstStart(): Promise<number> {
  const log = await compose('logs', '--no-log-prefix', '--no-color', 'collector');
  const [, time] = /"time":"([^"]+)"/.exec(log) ?? [];
  return parseInstant(String(time));
}

async function expectBackfilledBoards(began: number): Promise<void> {
  const to = began - (began % BOARD_PASS_SECONDS);
  const passes: Passes = { from: to - Number(PAST.BACKFILL_DAYS) * DAY_SECONDS, to };
  const now = Math.floor(Date.now() / 1000);
  let changes = 0;
  for (const titleId of unchangedTitles(to, now).slice(0, 5)) {
    await expectBoards(gatewayUrl, world, { titleId, pass: now });
    changes += await expectChanges(gatewayUrl, world, { backfilled: passes, now, titleId });
    const boards = everyBoard(world, passes).filter((board) => board.titleId === titleId);
    await expectPastBoards(gatewayUrl, world, boards.slice(0, 2), passes);
  }
  expect(changes).toBeGreaterThan(0);
}

/** Titles whose leaderboards have not changed since the backfill. */
function unchangedTitles(to: number, now: number): string[] {
  const changing = new Set<string>();
  for (let pass = to; pass <= now; pass += BOARD_PASS_SECONDS) {
    for (const { titleId } of world.boardChanges(pass)) changing.add(titleId);
  }
  const withBoards = new Set(world.boardKeysAt(to).map(({ titleId }) => titleId));
  return [...withBoards].filter((titleId) => !changing.has(titleId));
}
