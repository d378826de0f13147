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
interface Peer {
  name: string;
  server: Server;
  /** Promised share of the peer's requests per second. */
  share: number;
}

interface Comparison {
  what: string;
  ours: Server;
  peer: Peer;
  load: BenchProcess;
  /** The load of each server and round. */
  each: Omit<Load, 'port'>;
  rounds: number;
  say: (line: string) => void;
}

/**
 * Alternates between the servers, so that other load affects both, and compares the CPU time per request:
 * it bounds the requests per second of a server on its own core, independent of the client.
 */
export async function compareServers(comparison: Comparison): Promise<Finding> {
  const { what, ours, peer, load, each, rounds, say } = comparison;
  const servers = [ours, peer.server];
  for (const { port } of servers) await warmUp(load, { ...each, port });
  const runs = servers.map((): LoadMeasurement[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { pid, port }] of servers.entries()) {
      runs[index]?.push(await loadServer(load, pid, { ...each, port }));
    }
  }
  const [gatewayRuns = [], peerRuns = []] = runs;
  say(`${what}: gateway ${rateOf(gatewayRuns)}; ${peer.name} ${rateOf(peerRuns)}`);
  return {
    what,
    measured: costOf(gatewayRuns),
    reference: `${peer.name} ${costOf(peerRuns)}, ${(cpuOf(peerRuns) / cpuOf(gatewayRuns)).toFixed(2)} of its speed`,
    ratio: cpuOf(gatewayRuns) / cpuOf(peerRuns),
    bound: Number((1 / peer.share).toFixed(2)),
  };
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
