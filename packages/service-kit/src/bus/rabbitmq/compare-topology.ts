import { z } from 'zod';
import type { ManagementApi } from './management-api.ts';
import { definitions } from './topology.ts';

const found = z.object({
  exchanges: z.array(z.object({ name: z.string(), type: z.string() })),
  queues: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  policies: z.array(z.object({ name: z.string(), definition: z.record(z.string(), z.unknown()) })),
  bindings: z.array(z.object({ source: z.string(), destination: z.string(), routing_key: z.string() })),
});

type Binding = z.infer<typeof found>['bindings'][number];

interface TopologyComparison {
  /** Descriptions of what posting the definitions creates or changes. */
  readonly missing: readonly string[];
  /** Descriptions of what RabbitMQ can't change. */
  readonly different: readonly string[];
  /** Bindings of the system's queues that the definitions lack. */
  readonly stale: readonly Binding[];
}

/** Compares a vhost that exists with the definitions. */
export async function compareTopology(api: ManagementApi, vhost: string): Promise<TopologyComparison> {
  const expected = definitions();
  const { bindings, ...existing } = found.parse(await api.get('definitions', vhost));
  const exchanges = byName(existing.exchanges);
  const queues = byName(existing.queues);
  const policies = byName(existing.policies);
  const ownQueues = byName(expected.queues);
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
        return differencesOf(fixed, actual).map((difference) => `the queue ${name} has ${difference}`);
      }),
    ],
    stale: bindings.filter(
      (binding) => ownQueues.has(binding.destination) && !ownBindings.has(describeBinding(binding)),
    ),
  };
}

export function describeBinding(binding: Binding): string {
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
