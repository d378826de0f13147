import { median, type Finding } from '../benchmark.ts';
import { loadServer, sendLoad, type Load, type LoadMeasurement } from './load.ts';
import type { BenchProcess } from './bench-process.ts';

const WARM_AFTER_RESPONSES = 30_000;
const WARMING_SECONDS_MAX = 20;

interface Server {
  readonly pid: number;
  readonly port: number;
}

/** A server to compare with. */
export interface Peer {
  name: string;
  server: Server;
  /** Promised share of the peer's requests per second. */
  share: number;
}

export interface Comparison {
  what: string;
  ours: Server;
  peers: readonly Peer[];
  load: BenchProcess;
  /** The load of each server and round. */
  each: Omit<Load, 'port'>;
  rounds: number;
  say: (line: string) => void;
}

/**
 * Alternates between servers, so that other load affects all of them, and compares the CPU time per request:
 * it bounds the requests per second of a server on its own core, independent of the client.
 */
export async function compareServers(comparison: Comparison): Promise<Finding[]> {
  const { what, ours, peers, load, each, rounds, say } = comparison;
  const servers = [ours, ...peers.map(({ server }) => server)];
  for (const { port } of servers) await warmUp(load, { ...each, port });
  const runs = servers.map((): LoadMeasurement[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { pid, port }] of servers.entries()) {
      runs[index]?.push(await loadServer(load, pid, { ...each, port }));
    }
  }
  const [gatewayRuns = [], ...peerRuns] = runs;
  const named = peers.map(({ name }, index) => `${name} ${rateOf(peerRuns[index] ?? [])}`);
  say(`${what}: gateway ${rateOf(gatewayRuns)}; ${named.join('; ')}`);
  return peers.map(({ name, share }, index) => {
    const peer = peerRuns[index] ?? [];
    return {
      what,
      measured: costOf(gatewayRuns),
      reference: `${name} ${costOf(peer)}, ${(cpuOf(peer) / cpuOf(gatewayRuns)).toFixed(2)} of its speed`,
      ratio: cpuOf(gatewayRuns) / cpuOf(peer),
      bound: Number((1 / share).toFixed(2)),
    };
  });
}

/** Waits until the JIT compiler has optimized the hot code. */
async function warmUp(process: BenchProcess, load: Load): Promise<void> {
  let answers = 0;
  for (let second = 0; second < WARMING_SECONDS_MAX && answers < WARM_AFTER_RESPONSES; second += 1) {
    answers += (await sendLoad(process, { ...load, seconds: 1 })).responses;
  }
}

/** The best round: other load only adds to the CPU time. */
function cpuOf(runs: readonly LoadMeasurement[]): number {
  return Math.min(...runs.map(({ cpuMicroseconds }) => cpuMicroseconds));
}

function costOf(runs: readonly LoadMeasurement[]): string {
  return `${cpuOf(runs).toFixed(1)} µs of processor a request`;
}

/** Rate and utilization of both cores: below a full server core, the client or other load was the limit. */
function rateOf(runs: readonly LoadMeasurement[]): string {
  const rate = median(runs.map(({ requestsPerSecond }) => requestsPerSecond));
  const [server, load] = [runs.map(({ serverShare }) => serverShare), runs.map(({ loadShare }) => loadShare)].map(
    median,
  );
  return `${Math.round(rate)}/s (server's core ${percent(server)}, load's ${percent(load)})`;
}

function percent(share = Number.NaN): string {
  return `${Math.round(share * 100)} %`;
}
