import { operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator, type SimulatorOptions } from '@lobbystats/simulator';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { deadLetters } from '../dead-letters.ts';
import type { Measurements } from '../drill.ts';
import { listUsernames } from '../faults/list-usernames.ts';
import { load, type Outcome } from '../load.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { waitUntil } from '../wait.ts';
import { classifySlots } from './classify-slots.ts';
import { memoryGrowth, restarts, type MemorySample } from './memory-growth.ts';
import { latencyGrowth } from './latency-growth.ts';
import { killAtRandom, type Kill } from './kill-at-random.ts';
import { requestMix } from './request-mix.ts';
import { seededRandom } from './seeded-random.ts';
import type { SoakOptions } from './soak-options.ts';
import { CUT_OFF, Tally } from './tally.ts';
import { timeWaitSockets } from './time-wait-sockets.ts';

const CONNECTIONS = 64;
const SAMPLE_MS = 15_000;
const MINUTE_MS = 60_000;
const GROWTH_MB = 50;
/** Maximum ratio of the p99 of the last third to that of the first. Port exhaustion exceeds it by far. */
const LATENCY_GROWTH = 2;
/** Gateways renew each of up to 32 connections to each of four upstreams every 2 s, and a closed one waits for 60 s. */
const TIME_WAIT_MAX = 32 * 4 * 30;
/** Time after the last kill until all slots are stored. */
const SETTLE_MS = 180_000;
/** Duration of a kill on a busy engine. */
const KILL_TAKES_MS = 10_000;

/** Loads a stack, and prints a line a minute to standard error. @throws Error that lists the faults */
export async function soak(stage: StackStage, options: SoakOptions, network: SimulatorOptions): Promise<Measurements> {
  const { games } = (await stage.request(operations.listGames.path)).body as { games: { titleId: string }[] };
  const known = { titleIds: games.map(({ titleId }) => titleId), usernames: await listUsernames(stage, 5) };
  const tally = new Tally();
  const samples: MemorySample[] = [];
  const kills: Kill[] = [];
  let mostTimeWait = 0;
  const began = Date.now();
  const end = began + options.minutes * MINUTE_MS;
  const ended = new AbortController();
  const random = seededRandom(options.seed);
  const watch = async (): Promise<void> => {
    for (let next = began + MINUTE_MS; Date.now() < end;) {
      const [memory, incarnations] = await Promise.all([stage.memory(), stage.incarnations()]);
      for (const [service, bytes] of Object.entries(memory)) {
        samples.push({ service, bytes, incarnation: incarnations[service] ?? '', at: Date.now() });
      }
      if (Date.now() >= next) {
        const timeWait = await timeWaitSockets(stage);
        mostTimeWait = Math.max(mostTimeWait, timeWait);
        const minute = `minute ${Math.round((next - began) / MINUTE_MS)}: ${tally.flushMinute()}`;
        say(`${minute}; ${timeWait} sockets in TIME_WAIT; memory ${inMegabytes(memory)}`);
        next += MINUTE_MS;
      }
      await waitUntil(Math.min(end, Date.now() + SAMPLE_MS));
    }
  };
  const loading = load({
    ...{ url: stage.url, connections: CONNECTIONS, perSecond: options.rate, signal: ended.signal },
    path: requestMix(known, seededRandom(options.seed + 1)),
    onOutcome: (outcome) => tally.add(isCutOff(outcome, kills) ? { ...outcome, failure: CUT_OFF } : outcome),
  });
  const onKill = (kill: Kill): void => {
    kills.push(kill);
    say(`  killed ${kill.service}`);
  };
  try {
    await Promise.all([
      watch(),
      killAtRandom({ stage, random, everySeconds: options['kill-every'], until: end, onKill }),
    ]);
  } finally {
    ended.abort();
    await loading;
  }
  say(`minute ${options.minutes}: ${tally.flushMinute()}`);

  const measured: string[] = [];
  const faults = tally.unexpected().map((outcome) => `unexpected outcome: ${outcome}`);
  if (mostTimeWait > TIME_WAIT_MAX) faults.push(`${mostTimeWait} sockets were in TIME_WAIT`);
  const grown = latencyGrowth(tally.p99Ms());
  if (grown !== undefined) measured.push(`p99 of the last third: ${grown.toFixed(2)} times that of the first`);
  if (options['kill-every'] === 0 && (grown ?? 0) > LATENCY_GROWTH)
    faults.push(`latency grew ${grown?.toFixed(1)}-fold`);
  const simulator = createSimulator(network);
  const [from, to] = [began, end].map((ms) => Math.ceil(ms / 1000 / SLOT_SECONDS) * SLOT_SECONDS) as [number, number];
  await eventually(async () => expect(await stage.unhealthy()).toEqual([]), { timeoutMs: SETTLE_MS, everyMs: 1000 });
  await waitUntil(Math.max(Date.now(), to * 1000 - SLOT_SECONDS * 1000 + SETTLE_MS));
  const fates = await classifySlots(stage.url, simulator.world, from, to - SLOT_SECONDS);
  measured.push(`slots: ${[...fates].map(([time, fate]) => `${time.slice(11, 16)} ${fate}`).join(', ')}`);
  for (const [time, fate] of fates) {
    const slotMs = Date.parse(`${time}Z`);
    const isExcused = kills.some(({ at }) => at > slotMs - MINUTE_MS && at < slotMs + SETTLE_MS);
    if (fate !== 'whole' && !isExcused) faults.push(`the slot of ${time} is ${fate}, and nothing was killed in it`);
  }
  const growth = memoryGrowth(samples);
  measured.push(
    `memory, MB more within the last slot than within the one before: ${[...growth].map(([service, mb]) => `${service} ${mb.toFixed(0)}`).join(', ')}`,
  );
  for (const [replica, times] of restarts(samples)) {
    const killed = kills.filter(({ service }) => service === replica.split(' ')[0]).length;
    if (times > killed) faults.push(`${replica} restarted ${times} times, and was killed ${killed} times`);
  }
  for (const [service, mb] of growth) if (mb > GROWTH_MB) faults.push(`${service} has grown by ${mb.toFixed(0)} MB`);
  const letters = await deadLetters(stage);
  measured.push(`${kills.length} kills, ${letters.length} dead letters; ${JSON.stringify(tally.counts())}`);
  if (letters.length > 0) faults.push(`dead letters: ${JSON.stringify(letters.slice(0, 5)).slice(0, 1000)}`);
  if (faults.length > 0) throw new Error([...measured, ...faults].join('\n'));
  return measured;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function inMegabytes(memory: Readonly<Record<string, number>>): string {
  return Object.entries(memory)
    .map(([service, bytes]) => `${service} ${(bytes / 1024 ** 2).toFixed(0)}`)
    .join(', ');
}

/** Whether a response was in transit when the gateway was killed. */
function isCutOff({ failure, sentAt, ms }: Outcome, kills: readonly Kill[]): boolean {
  return (
    failure === 'ECONNRESET' &&
    kills.some(({ service, at }) => service === 'gateway' && sentAt < at + KILL_TAKES_MS && sentAt + ms > at)
  );
}
