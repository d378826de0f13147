import { z } from 'zod';
import type { ManagementApi } from './management-api.ts';
import { definitions } from './topology.ts';

const found = {
  exchanges: z.array(z.object({ name: z.string(), type: z.string() })),
  queues: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  policies: z.array(z.object({ name: z.string(), definition: z.record(z.string(), z.unknown()) })),
  bindings: z.array(
    z.object({
      source: z.string(),
      destination: z.string(),
      destination_type: z.string(),
      routing_key: z.string(),
      properties_key: z.string(),
    }),
  ),
};

interface TopologyComparison {
  /** Descriptions of what posting the definitions creates or changes. */
  readonly missing: readonly string[];
  /** Descriptions of what RabbitMQ can't change. */
  readonly different: readonly string[];
  /** Bindings of the system's queues that the definitions lack. */
  readonly stale: readonly z.infer<typeof found.bindings>[number][];
}

/** Compares a vhost that exists with the definitions. */
export async function compareTopology(api: ManagementApi, vhost: string): Promise<TopologyComparison> {
  const expected = definitions();
  const exchanges = byName(found.exchanges.parse(await api.get('exchanges', vhost)));
  const queues = byName(found.queues.parse(await api.get('queues', vhost)));
  const policies = byName(found.policies.parse(await api.get('policies', vhost)));
  const bindings = found.bindings.parse(await api.get('bindings', vhost));
  const ownQueues = byName(expected.queues);
  const ownPolicies = byName(expected.policies);
  const ownBindings = new Set(expected.bindings.map(describeBinding));
  const foundNames = new Set(bindings.map(describeBinding));
  return {
    missing: [
      ...expected.exchanges.filter(({ name }) => !exchanges.has(name)).map(({ name }) => `the exchange ${name}`),
      ...expected.queues.filter(({ name }) => !queues.has(name)).map(({ name }) => `the queue ${name}`),
      ...expected.policies
        .filter(({ name, definition }) => differencesOf(definition, policies.get(name)?.definition ?? {}).length > 0)
        .map(({ name }) => `the policy ${name}`),
      ...[...ownBindings].filter((binding) => !foundNames.has(binding)),
    ],
    different: [
      ...expected.exchanges
        .filter(({ name, type }) => (exchanges.get(name)?.type ?? type) !== type)
        .map(({ name, type }) => `the exchange ${name} is not of type ${type}`),
      ...expected.queues.flatMap(({ name, arguments: fixed }) => {
        const actual = queues.get(name)?.arguments ?? fixed;
        // An argument that says the same as the policy does no harm.
        const same = Object.entries(ownPolicies.get(name)?.definition ?? {}).filter(([key]) => `x-${key}` in actual);
        const allowed = { ...Object.fromEntries(same.map(([key, value]) => [`x-${key}`, value])), ...fixed };
        return differencesOf(allowed, actual).map((difference) => `the queue ${name} has ${difference}`);
      }),
    ],
    // Every queue is bound to the default exchange.
    stale: bindings.filter(
      (binding) =>
        binding.source !== '' && ownQueues.has(binding.destination) && !ownBindings.has(describeBinding(binding)),
    ),
  };
}

export function describeBinding(binding: { source: string; destination: string; routing_key: string }): string {
  return `the binding of ${binding.destination} to ${binding.source} by ${binding.routing_key}`;
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

function differencesOf(expected: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>) {
  const format = (value: unknown) => (value === undefined ? 'unset' : JSON.stringify(value));
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    .filter((key) => expected[key] !== actual[key])
    .map((key) => `${key} ${format(actual[key])}, not ${format(expected[key])}`);
}
