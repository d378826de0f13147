import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { formatTimestamp, operations, SLOT_SECONDS, type RowFormat } from '@lobbystats/contracts';
import { renderRowChunks, renderRows } from '../services/gateway/src/domain/formats/render-rows.ts';
import { median, sideBySide, type Benchmark, type Finding } from './benchmark.ts';
import { CACHE_BYTES, startGateway } from './peers/gateway.ts';
import { loadServer, requestOf, startLoad, type Loaded } from './peers/load.ts';
import { historyPath, ownedAnswers } from './peers/owned-answers.ts';
import { canMeasureProcesses } from './peers/own-process.ts';
import { startOwner } from './peers/owner.ts';

const ROWS = 8640;
const ROUNDS = 5;
const RENDERING_ROUNDS = 100;
const SECONDS = 1;
const CONNECTIONS = 8;
/** CSV has at least 0.8 of the speed of JSON. */
const OF_JSON = 1 / 0.8;

const WORKS = [
  { what: 'CSV kept', cacheBytes: CACHE_BYTES, headers: {}, bound: OF_JSON },
  { what: 'CSV kept, gzip', cacheBytes: CACHE_BYTES, headers: { 'Accept-Encoding': 'gzip' }, bound: OF_JSON },
  // JSON goes through as it came, without being looked at: rendering may cost as much again.
  { what: 'CSV with nothing kept', cacheBytes: 0, headers: {}, bound: 2 },
] as const;

const LARGE_MIB = 256;
const PIECE_BYTES = 64 * 1024;
const HELD_MIB_BOUND = 32;
const LOOK_EVERY_MIB = 4;

const newest = 1_800_000_000;
const history = Array.from({ length: ROWS }, (_, row) => ({
  recorded_at: formatTimestamp(newest - (ROWS - 1 - row) * SLOT_SECONDS),
  online_count: (row * 7919) % 5000,
}));
const series = { operation: operations.getOnlineSeries, query: { resolution: 'raw' } };

/** 30 days of a series as CSV and NDJSON beside the same as JSON. */
export const formats: Benchmark = {
  name: 'formats',
  about: `${ROWS} rows as CSV beside the same rows as JSON, and what a large answer leaves in memory`,
  run: async (say) => [
    ...(await measureRendering()),
    await measureLarge('csv'),
    await measureLarge('ndjson'),
    ...(await measureGateway(say)),
  ],
};

/** An owner's JSON made into another format, beside the rows made into JSON. */
async function measureRendering(): Promise<Finding[]> {
  const body = Buffer.from(JSON.stringify(history));
  const findings: Finding[] = [];
  for (const [format, bound] of [
    ['csv', OF_JSON],
    ['ndjson', 2 * OF_JSON],
  ] as const) {
    const { ours, peer } = await sideBySide(
      RENDERING_ROUNDS,
      async () => renderRows({ ...series, format }, body),
      async () => Buffer.from(JSON.stringify(history)),
    );
    findings.push({
      what: `${ROWS} rows rendered as ${format}`,
      measured: `${ours.toFixed(2)} ms`,
      against: `JSON.stringify of them ${peer.toFixed(2)} ms`,
      ratio: ours / peer,
      bound,
    });
  }
  return findings;
}

/** What is held while an answer far larger than that goes through. */
async function measureLarge(format: RowFormat): Promise<Finding> {
  let highest = 0;
  let bytes = 0;
  let looks = 0;
  const before = heldMiB();
  for await (const chunk of renderRowChunks({ ...series, format }, largeAnswer())) {
    bytes += chunk.length;
    if (bytes < looks * LOOK_EVERY_MIB * 1024 ** 2) continue;
    looks += 1;
    highest = Math.max(highest, heldMiB() - before);
  }
  return {
    what: `${LARGE_MIB} MiB of JSON streamed as ${format}, ${(bytes / 1024 ** 2).toFixed(0)} MiB`,
    measured: `${highest.toFixed(1)} MiB held at most, looked at ${looks} times`,
    against: `${HELD_MIB_BOUND} MiB`,
    ratio: highest / HELD_MIB_BOUND,
    bound: 1,
  };
}

async function* largeAnswer(): AsyncGenerator<Buffer> {
  const rows = Buffer.from(`${JSON.stringify(history).slice(1, -1)},`);
  yield Buffer.from('[');
  for (let sent = 0; sent < LARGE_MIB * 1024 ** 2; sent += rows.length) {
    for (let at = 0; at < rows.length; at += PIECE_BYTES) yield rows.subarray(at, at + PIECE_BYTES);
  }
  yield Buffer.from(`${JSON.stringify(history[0])}]`);
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What awaits collection says more of V8's leisure than of what is held. */
function heldMiB(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 ** 2;
}

/** Both asked of the gateway in turn: out of its cache, and with nothing kept. */
async function measureGateway(say: (line: string) => void): Promise<Finding[]> {
  if (!canMeasureProcesses(say)) return [];
  const findings: Finding[] = [];
  for (const { what, cacheBytes, headers, bound } of WORKS) {
    const stack = new AsyncDisposableStack();
    try {
      const owner = await startOwner(answers(), stack);
      const gateway = await startGateway({ ownersUrl: owner.url, cacheBytes }, stack);
      const load = startLoad(stack);
      const ask = (query: string) => () => {
        const requests = [requestOf(`${historyPath(0)}?hours=720${query}`, headers)];
        const to = { port: gateway.port, connections: CONNECTIONS, seconds: SECONDS };
        return loadServer(load, gateway.pid, { ...to, requests, status: 200 });
      };
      findings.push({ what, ...(await compare(ask('&format=csv'), ask(''))), bound });
    } finally {
      await stack.disposeAsync();
    }
  }
  return findings;
}

function answers(): Map<string, string> {
  const known = new Map(ownedAnswers([0]));
  const path = historyPath(0);
  const title = JSON.parse(known.get(path) ?? '') as object;
  return known.set(path, JSON.stringify({ ...title, hours: 720, history }));
}

async function compare(
  csv: () => Promise<Loaded>,
  json: () => Promise<Loaded>,
): Promise<Omit<Finding, 'what' | 'bound'>> {
  const costs = { csv: [] as number[], json: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const [ofCsv, ofJson] = [await csv(), await json()];
    // The first round warms both up.
    if (round < 0) continue;
    costs.csv.push(ofCsv.cpuMicroseconds);
    costs.json.push(ofJson.cpuMicroseconds);
  }
  const [ours, peer] = [median(costs.csv), median(costs.json)];
  return {
    measured: `${ours.toFixed(0)} µs of the gateway's processor a request`,
    against: `JSON ${peer.toFixed(0)} µs`,
    ratio: ours / peer,
  };
}
