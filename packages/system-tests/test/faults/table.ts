import { streamEvents } from '@lobbystats/contracts';
import { publishPoison, redeliverFacts } from './bus-messages.ts';
import { purgeDeadLetters } from './dead-letters.ts';
import { expectWholeBackfill } from './expect-backfill.ts';
import {
  cacheServes,
  clientsAreServed,
  excessIsRefused,
  historyIs,
  nothingChanges,
  othersServe,
  ratingsAreStreamed,
  ratingsGoOn,
  slotIsWhole,
  type Expectations,
} from './expectations.ts';
import { killed, paused, slow, stopped, type Fault } from './inject.ts';
import type { Outcome } from './load.ts';
import { manyClients } from './many-clients.ts';
import { heavyQueries, killedAndPaused, killedInTurn, killedLeader, overload } from './stack-faults.ts';

/** A fault of the stack. After each, the suite expects healthy and unharmed services, complete data and no dead letter. */
export interface FaultRow {
  readonly name: string;
  readonly fault: Fault;
  /** Called before the fault. What it defers to `resources` ends after all checks. */
  readonly expectations: (resources: AsyncDisposableStack) => Promise<Expectations>;
  /** Alerts that fire while it lasts. */
  readonly alerts?: readonly string[];
  /** Services that it restarts. */
  readonly restarts?: readonly string[];
  /** Whether it needs a stack that still reads the past. */
  readonly isDuringBackfill?: boolean;
}

const SERVERS = ['rabbitmq', 'influxdb', 'mongodb'];
const SERVICES = ['collector', 'series-api', 'catalog-api', 'user-api', 'reputation-api', 'gateway', 'nginx'];
const outcomes: Outcome[] = [];

export const FAULTS: readonly FaultRow[] = [
  {
    name: 'every service and server is killed, and all are paused, during the first backfill',
    fault: killedAndPaused([...SERVICES, ...SERVERS]),
    expectations: () => Promise.resolve({ after: expectWholeBackfill }),
    restarts: SERVICES,
    isDuringBackfill: true,
  },
  {
    name: 'the leading collector is killed in a slot',
    fault: killedLeader,
    expectations: slotIsWhole,
    restarts: ['collector'],
  },
  {
    name: 'MongoDB is silent',
    fault: paused('mongodb'),
    expectations: cacheServes,
    alerts: ['MongodbUnreachable'],
  },
  {
    name: 'the broker is down while users rate',
    fault: killed('rabbitmq'),
    expectations: ratingsAreStreamed,
    alerts: ['RabbitmqUnreachable'],
  },
  {
    name: 'services and servers are killed in turn while users rate',
    fault: killedInTurn(['reputation-api', 'user-api', 'catalog-api', 'series-api', 'gateway', 'nginx', ...SERVERS]),
    expectations: ratingsGoOn,
    restarts: SERVICES,
  },
  {
    name: 'unreadable messages, and facts again and out of order',
    fault: async (stack, ending) => {
      ending.defer(() => purgeDeadLetters(stack));
      // First: an unreadable fact is in the log, too.
      await redeliverFacts(400, 3);
      await publishPoison();
    },
    expectations: nothingChanges,
    alerts: ['DeadLetters'],
  },
  {
    name: 'InfluxDB takes 5 s for each answer',
    fault: slow('influxdb', 5),
    expectations: historyIs(200, 503),
  },
  {
    name: 'InfluxDB is down',
    fault: stopped('influxdb'),
    expectations: historyIs(503),
    alerts: ['InfluxdbUnreachable'],
  },
  {
    name: 'analysts repeat heavy queries',
    fault: heavyQueries,
    expectations: historyIs(200),
  },
  {
    name: 'reputation-api is down',
    fault: stopped('reputation-api'),
    expectations: othersServe,
    alerts: ['ServiceDown', 'QueueWithoutConsumer', 'UpstreamCircuitOpen'],
    restarts: ['reputation-api'],
  },
  {
    name: 'more searches than catalog-api can answer',
    fault: overload(outcomes),
    expectations: excessIsRefused(outcomes),
  },
  {
    name: '4,000 slow readers of a large response from 16 addresses',
    fault: manyClients({ addresses: 16, connections: 4000, path: '/docs/swagger-ui-bundle.js', isReading: false }),
    expectations: clientsAreServed,
  },
  {
    name: '4,600 streams of 40 addresses, more than a gateway has',
    fault: manyClients({ addresses: 40, connections: 4600, path: streamEvents.path }),
    expectations: clientsAreServed,
  },
];
