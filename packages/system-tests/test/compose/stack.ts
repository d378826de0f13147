import type { FaultyStack } from '../faults/inject.ts';
import { operations } from '@lobbystats/contracts';
import { createSimulator, type SimulatorOptions } from '@lobbystats/simulator';
import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';

/** Arguments before every `docker compose` command of the stack under test. */
export const composeArgs = JSON.parse(process.env['TEST_STACK'] ?? '[]') as string[];

/** Name of the compose project under test. */
export const project = composeArgs[composeArgs.indexOf('-p') + 1] ?? '';

/** Public URL of the stack under test. */
export const gatewayUrl = String(process.env['TEST_GATEWAY_URL']);

/** Runs `docker compose` on the stack under test. Resolves to its output. */
export function compose(...args: string[]): Promise<string> {
  return docker([...composeArgs, ...args]);
}

/** The stack under test, for faults. */
export const stack: FaultyStack = { project, compose };

/** The simulated network of the stack. */
export const { world } = createSimulator(JSON.parse(process.env['TEST_NETWORK'] ?? '{}') as SimulatorOptions);

/** URL of a published port of a service. */
export async function publishedUrl(service: string, port: number): Promise<string> {
  return `http://${await compose('port', service, String(port))}`;
}

/**
 * Recreates the stack with empty stores.
 *
 * @param settings override those of its `.env`
 */
export async function recreateStack(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  await compose('down', '-v', '-t', '2');
  await docker([...composeArgs, 'up', '-d', '--wait'], settings);
}

/** Recreates nginx with other settings. Resolves when it responds: its health check would say so ten seconds later. */
export async function recreateProxy(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  await docker([...composeArgs, 'up', '-d', '--no-deps', 'nginx'], settings);
  const url = gatewayUrl + operations.listGames.path;
  await eventually(async () => expect((await fetch(url)).ok).toBe(true), { everyMs: 100 });
}

interface Container {
  ID: string;
  Service: string;
  Health: string;
}

async function containers(): Promise<Container[]> {
  const lines = (await compose('ps', '-a', '--format', 'json')).split('\n');
  return lines
    .map((line) => JSON.parse(line) as Container)
    .filter(({ Service }) => !['init', 'secrets'].includes(Service));
}

/** Names of unhealthy services. */
export async function unhealthyServices(): Promise<string[]> {
  return (await containers()).filter(({ Health }) => Health !== 'healthy').map(({ Service }) => Service);
}

/** Container IDs of a service. */
export async function containersOf(service: string): Promise<string[]> {
  return (await containers()).filter(({ Service }) => Service === service).map(({ ID }) => ID);
}

interface CollectorDetails {
  boardFill: { done: boolean } | null;
  playerFill: { done: boolean } | null;
}

/** Fails while a collector backfills leaderboards or play time, which come after the snapshots. */
export async function expectBackfilled(): Promise<void> {
  const read = "fetch('http://127.0.0.1:8080/readyz').then((r) => r.text()).then(console.log)";
  const { boardFill, playerFill } = JSON.parse(
    await compose('exec', '-T', 'collector', 'node', '-e', read),
  ) as CollectorDetails;
  expect([boardFill?.done, playerFill?.done]).toEqual([true, true]);
}

/** Fails while a service has messages to process. The fact log and dead letters stay, and the collectors' messages are jobs of their own. */
export async function expectNoMessages(): Promise<void> {
  const list = ['rabbitmqctl', '-q', '-p', 'lobbystats', 'list_queues', 'name', 'messages', '--formatter', 'json'];
  const queues = JSON.parse(await compose('exec', '-T', 'rabbitmq', ...list)) as { name: string; messages: number }[];
  expect(queues.filter(({ name, messages }) => !/^(facts|collector)|[.]dead$/.test(name) && messages > 0)).toEqual([]);
}
