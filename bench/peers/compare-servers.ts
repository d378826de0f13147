import { median, type Finding } from '../benchmark.ts';
import { loadServer, sendLoad, type Load, type Loaded } from './load.ts';
import type { OwnProcess } from './own-process.ts';

const WARM_AFTER_ANSWERS = 30_000;
const WARMING_SECONDS_MAX = 20;

interface Server {
  readonly pid: number;
  readonly port: number;
}

/** Somebody whose speed ours is held against. */
export interface Peer {
  name: string;
  server: Server;
  /** The share of the peer's requests a second that is promised. */
  share: number;
}

export interface Comparison {
  what: string;
  ours: Server;
  peers: readonly Peer[];
  load: OwnProcess;
  /** For each server in each of the rounds. */
  each: Omit<Load, 'port'>;
  rounds: number;
  say: (line: string) => void;
}

/**
 * Loads servers in turn, so that whatever else the machine does meets all of them, and holds ours against each peer by the
 * processor time that a request takes: what bounds the requests a second of a server that has a core of its own, however fast
 * the client is.
 */
export async function compareServers(comparison: Comparison): Promise<Finding[]> {
  const { what, ours, peers, load, each, rounds, say } = comparison;
  const servers = [ours, ...peers.map(({ server }) => server)];
  for (const { port } of servers) await warmUp(load, { ...each, port });
  const runs = servers.map((): Loaded[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { pid, port }] of servers.entries()) {
      runs[index]?.push(await loadServer(load, pid, { ...each, port }));
    }
  }
  const [mine = [], ...theirs] = runs;
  const named = peers.map(({ name }, index) => `${name} ${rateOf(theirs[index] ?? [])}`);
  say(`${what}: gateway ${rateOf(mine)}; ${named.join('; ')}`);
  return peers.map(({ name, share }, index) => {
    const peer = theirs[index] ?? [];
    return {
      what,
      measured: costOf(mine),
      against: `${name} ${costOf(peer)}, ${(cpuOf(peer) / cpuOf(mine)).toFixed(2)} of its speed`,
      ratio: cpuOf(mine) / cpuOf(peer),
      bound: Number((1 / share).toFixed(2)),
    };
  });
}

/** Node compiles what it runs while it runs it, the more often the better. */
async function warmUp(process: OwnProcess, load: Load): Promise<void> {
  let answers = 0;
  for (let second = 0; second < WARMING_SECONDS_MAX && answers < WARM_AFTER_ANSWERS; second += 1) {
    answers += (await sendLoad(process, { ...load, seconds: 1 })).answers;
  }
}

/** Of the best round: whatever else the machine does only adds to what a request takes. */
function cpuOf(runs: readonly Loaded[]): number {
  return Math.min(...runs.map(({ cpuMicroseconds }) => cpuMicroseconds));
}

function costOf(runs: readonly Loaded[]): string {
  return `${cpuOf(runs).toFixed(1)} µs of processor a request`;
}

/** What a client saw, and who of the two was busy: under a full core of the server's, the client or a neighbour was the limit. */
function rateOf(runs: readonly Loaded[]): string {
  const rate = median(runs.map(({ requestsPerSecond }) => requestsPerSecond));
  const [server, load] = [runs.map(({ serverShare }) => serverShare), runs.map(({ loadShare }) => loadShare)].map(
    median,
  );
  return `${Math.round(rate)}/s (server's core ${percent(server)}, load's ${percent(load)})`;
}

function percent(share = Number.NaN): string {
  return `${Math.round(share * 100)} %`;
}
