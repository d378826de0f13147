import { StartupError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import type { ManagementApi } from './management-api.ts';
import { isSameBinding, LOG, LOG_IDENTITY, topology, type QueueSpec, type Topology } from './topology.ts';

/** Responses of the management API. */
export const foundExchanges = z.array(z.object({ name: z.string(), type: z.string(), durable: z.boolean() }));
export const foundQueues = z.array(
  z.object({ name: z.string(), durable: z.boolean(), arguments: z.record(z.string(), z.unknown()) }),
);
export const foundBindings = z.array(
  z.object({
    source: z.string(),
    destination: z.string(),
    destination_type: z.string(),
    routing_key: z.string(),
    properties_key: z.string(),
  }),
);

interface TopologyToProvision {
  readonly vhost: string;
  readonly log: (line: string) => void;
}

/**
 * Declares missing exchanges, queues and bindings, and removes stale bindings.
 *
 * @throws StartupError when a resource exists with other arguments, which cannot be changed without deleting its messages
 */
export async function provisionTopology(api: ManagementApi, { vhost, log }: TopologyToProvision): Promise<void> {
  const expected = topology();
  const exchanges = foundExchanges.parse(await api.get('exchanges', vhost));
  const queues = foundQueues.parse(await api.get('queues', vhost));
  const faults = topologyFaults(expected, { exchanges, queues });
  if (faults.length > 0) {
    throw new StartupError(
      `RabbitMQ's vhost ${vhost} has incompatible resources: ${faults.join('; ')}. Let the services drain these queues, ` +
        'stop them, delete the incompatible resources, and run the init job again',
    );
  }
  const names = new Set(queues.map(({ name }) => name));
  if (!names.has(LOG) && names.has(LOG_IDENTITY)) {
    // The identity of another log.
    await api.delete('queues', vhost, LOG_IDENTITY);
    names.delete(LOG_IDENTITY);
  }
  const newQueues = expected.queues.filter(({ name }) => !names.has(name));
  const newExchanges = expected.exchanges.filter(({ name }) => !exchanges.some((exchange) => exchange.name === name));
  await api.post(
    {
      exchanges: newExchanges.map((spec) => ({ ...spec, ...durableOptions, internal: false, arguments: {} })),
      queues: newQueues.map((spec) => ({ ...spec, ...durableOptions })),
      bindings: expected.bindings.map(({ routingKey, ...binding }) => ({
        ...binding,
        destination_type: 'queue',
        routing_key: routingKey,
        arguments: {},
      })),
    },
    'definitions',
    vhost,
  );
  for (const { name } of newExchanges) log(`RabbitMQ: created the exchange ${name}`);
  for (const { name } of newQueues) log(`RabbitMQ: created the queue ${name}`);
  await removeStaleBindings(api, { vhost, expected, log });
}

interface ActualTopology {
  readonly exchanges: z.infer<typeof foundExchanges>;
  readonly queues: z.infer<typeof foundQueues>;
}

/** Resources with other arguments than required. */
export function topologyFaults(expected: Topology, { exchanges, queues }: ActualTopology): string[] {
  return [
    ...expected.exchanges.flatMap(({ name, type }) => {
      const found = exchanges.find((exchange) => exchange.name === name);
      return found === undefined || (found.type === type && found.durable)
        ? []
        : [`the exchange ${name} is ${found.durable ? '' : 'not durable and '}of type ${found.type}, not ${type}`];
    }),
    ...expected.queues.flatMap((spec) => queueFaults(spec, queues)),
  ];
}

const durableOptions = { durable: true, auto_delete: false };

function queueFaults(spec: QueueSpec, queues: z.infer<typeof foundQueues>): string[] {
  const found = queues.find(({ name }) => name === spec.name);
  if (found === undefined) return [];
  const keys = new Set([...Object.keys(spec.arguments), ...Object.keys(found.arguments)]);
  const formatValue = (value: unknown): string => (value === undefined ? 'unset' : JSON.stringify(value));
  return [...keys]
    .filter((key) => found.arguments[key] !== spec.arguments[key])
    .map(
      (key) =>
        `the queue ${spec.name} has ${key} ${formatValue(found.arguments[key])}, not ${formatValue(spec.arguments[key])}`,
    );
}

async function removeStaleBindings(
  api: ManagementApi,
  { vhost, expected, log }: { vhost: string; expected: Topology; log: (line: string) => void },
): Promise<void> {
  const { bindings } = expected;
  const ownQueues = new Set(expected.queues.map(({ name }) => name));
  for (const found of foundBindings.parse(await api.get('bindings', vhost))) {
    const { source, destination, routing_key: key } = found;
    // Every queue is bound to the default exchange.
    if (source === '' || found.destination_type !== 'queue' || !ownQueues.has(destination)) continue;
    if (bindings.some((binding) => isSameBinding(binding, found))) continue;
    await api.delete('bindings', vhost, 'e', source, 'q', destination, found.properties_key);
    log(`RabbitMQ: removed the binding of ${destination} to ${source} by ${key}`);
  }
}
