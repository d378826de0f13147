import { HOUR_SECONDS, SERIES_RESPONSE_TIMEOUT_MS, SLOT_SECONDS } from '@lobbystats/contracts';
import { requestsOf, type NetworkRequests } from './network-requests.ts';
import type { NetworkSize } from './network-size.ts';
import { unitCosts, type UnitCostName } from './unit-costs.ts';

const MINUTE_SECONDS = 60;
const MB = 1e6;
/** Planned share of a processor or of memory, so that bursts and other work fit. */
const TARGET_SHARE = 0.5;
const MACHINE = { processors: 4, memoryMb: 16_000 };

interface ResourceUse {
  readonly name: string;
  /** Processors that are busy on average, of all replicas together. */
  readonly processors: number;
  /** Memory of all replicas together. */
  readonly memoryMb: number;
  /** After a month. */
  readonly diskMb: number;
  readonly replicas: number;
}

export interface Capacity {
  readonly size: NetworkSize;
  readonly requests: NetworkRequests;
  readonly resources: readonly ResourceUse[];
  /** The resource with the highest share of its limit. Above 1 it doesn't suffice. */
  readonly limiting: { readonly name: string; readonly share: number };
  /** Machines with four processors and 16 GB, half of which are used. */
  readonly machines: number;
}

/** Computes what a network needs from the measured unit costs. No need falls when a size grows. */
export function capacityOf(size: NetworkSize): Capacity {
  const requests = requestsOf(size);
  const resources = resourcesOf(size, requests);
  const processors = sum(resources.map((one) => one.processors)) / (MACHINE.processors * TARGET_SHARE);
  const memory = sum(resources.map(({ memoryMb }) => memoryMb)) / (MACHINE.memoryMb * TARGET_SHARE);
  return {
    ...{ size, requests, resources },
    limiting: limitingOf(size, requests, resources),
    machines: Math.ceil(Math.max(processors, memory)),
  };
}

function resourcesOf(size: NetworkSize, requests: NetworkRequests): ResourceUse[] {
  const { titles, players, boards, entries, openMatches, clients, streams } = size;
  const changed = cost('changedBoards') * boards;
  const perSlot = (ms: number) => ms / 1000 / SLOT_SECONDS;
  const perHour = (ms: number) => ms / 1000 / HOUR_SECONDS;
  const perMinute = (ms: number) => ms / 1000 / MINUTE_SECONDS;
  const { sentPerSecond, boardsPerSecond } = requests;
  const pages =
    cost('collectorPage') * (sentPerSecond - boardsPerSecond) + cost('collectorUnchanged') * boardsPerSecond;
  const collectors = pages / 1000 + perSlot(cost('collectorHomepage') * titles);
  const series = perSlot(cost('seriesTitle') * titles) + perMinute(cost('seriesMinute'));
  const catalog =
    perHour(cost('catalogConfirmation') * boards + cost('catalogChange') * changed) + perMinute(cost('catalogMinute'));
  const users = perSlot(cost('userPoll') * cost('usersOnline') * openMatches);
  const mongo =
    perHour(cost('mongoConfirmation') * boards + cost('mongoChange') * changed) +
    users +
    perMinute(cost('mongoMinute'));
  const gateways = perMinute(cost('gatewayRequest') * clients) + perSlot(cost('gatewayStream') * streams);
  const nginx = perMinute(cost('nginxRequest') * clients) + perSlot(cost('nginxStream') * streams);
  const influx = perSlot(cost('influxTitle') * titles) + perMinute(cost('influxMinute'));
  const streamMb = (name: 'streamMemory' | 'nginxStreamMemory') => (cost(name) * streams) / MB;
  return [
    scaled('collector', collectors, cost('collectorMemory')),
    single('series-api', series, cost('seriesMemory')),
    single('catalog-api', catalog, cost('catalogMemory')),
    single('user-api', users + perMinute(cost('userMinute')), cost('userMemory')),
    single('reputation-api', perMinute(cost('reputationMinute')), cost('reputationMemory')),
    withMemory(scaled('gateway', gateways, cost('gatewayMemory')), streamMb('streamMemory')),
    single('nginx', nginx, cost('nginxMemory') + streamMb('nginxStreamMemory')),
    single('RabbitMQ', perMinute(cost('rabbitmqMinute')), cost('rabbitmqMemory'), { diskMb: cost('rabbitmqDisk') }),
    single('InfluxDB', influx, cost('influxMemory'), { diskMb: (cost('influxDisk') * titles) / MB }),
    single('MongoDB', mongo, cost('mongoMemory') + (cost('mongoEntryMemory') * entries) / MB, {
      diskMb: cost('mongoDisk') + (cost('entryDisk') * entries + cost('userDisk') * players) / MB,
    }),
  ];
}

function single(name: string, processors: number, memoryMb: number, { diskMb = 0 } = {}): ResourceUse {
  return { name, processors, memoryMb, diskMb, replicas: 1 };
}

/** A Node.js process has one processor. */
function scaled(name: string, processors: number, memoryMbEach: number): ResourceUse {
  const replicas = Math.max(1, Math.ceil(processors / TARGET_SHARE));
  return { name, processors, memoryMb: replicas * memoryMbEach, diskMb: 0, replicas };
}

function withMemory(use: ResourceUse, moreMb: number): ResourceUse {
  return { ...use, memoryMb: use.memoryMb + moreMb };
}

/** Shares of the request rate, of the read timeout, of one processor for each replica, and of the machine's memory. */
function limitingOf({ maxRps, titles }: NetworkSize, requests: NetworkRequests, resources: readonly ResourceUse[]) {
  const shares = [
    { name: 'requests to the network', share: requests.neededPerSecond / maxRps },
    { name: 'InfluxDB, time of a read', share: (cost('influxRead') * titles) / SERIES_RESPONSE_TIMEOUT_MS },
    ...resources.flatMap(({ name, processors, memoryMb, replicas }) => [
      { name: `${name}, processor`, share: processors / replicas },
      { name: `${name}, memory`, share: memoryMb / replicas / MACHINE.memoryMb },
    ]),
  ];
  return shares.reduce((most, one) => (one.share > most.share ? one : most));
}

function cost(name: UnitCostName): number {
  return unitCosts[name].value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
