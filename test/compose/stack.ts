import { eventually } from '@lobbystats/test-kit';
import { docker } from '../stack/docker.ts';

const project = JSON.parse(process.env['TEST_STACK'] ?? '[]') as string[];

/** Where the public door of the stack under test is. */
export const gateway = String(process.env['TEST_GATEWAY_URL']);

/** `docker compose` of the stack under test; resolves to what it printed. */
export function compose(...args: string[]): Promise<string> {
  return docker([...project, ...args]);
}

/**
 * Begins anew, with empty stores: what other suites did to the stack is no matter.
 *
 * @param settings instead of those of its `.env`
 */
export async function startFresh(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  await compose('down', '-v', '-t', '2');
  await docker([...project, 'up', '-d', '--wait'], settings);
}

/** `kill -9`, and a start again. Resolves when it has begun to start. */
export async function killAndStart(service: string): Promise<void> {
  await compose('kill', '-s', 'KILL', service);
  await compose('start', service);
}

/** Stands still for so long, as on a host that swaps or migrates. */
export async function pauseFor(service: string, seconds: number): Promise<void> {
  // An engine that is busy may not get hold of all processes of a container at the first try.
  await eventually(() => compose('pause', service), { timeoutMs: 20_000, everyMs: 500 });
  await until(Date.now() + seconds * 1000);
  await compose('unpause', service);
}

/** What operators would find: messages that could not be handled. */
export async function deadLetters(): Promise<unknown[]> {
  return JSON.parse(await compose('run', '--rm', '-T', 'dlq', 'list', '--json')) as unknown[];
}

interface Container {
  ID: string;
  Service: string;
  Health: string;
}

async function containers(): Promise<Container[]> {
  const lines = (await compose('ps', '-a', '--format', 'json')).split('\n');
  return lines.map((line) => JSON.parse(line) as Container).filter(({ Service }) => Service !== 'init');
}

/** The services that aren't well. */
export async function unhealthy(): Promise<string[]> {
  return (await containers()).filter(({ Health }) => Health !== 'healthy').map(({ Service }) => Service);
}

/** The containers of a service, by their IDs. */
export async function containersOf(service: string): Promise<string[]> {
  return (await containers()).filter(({ Service }) => Service === service).map(({ ID }) => ID);
}

/** Waits for a time of the day, in epoch milliseconds: what happens then is what a test is about. */
export async function until(timeMs: number): Promise<void> {
  const reached = (): void => {
    if (Date.now() < timeMs) throw new Error('not yet');
  };
  await eventually(reached, { timeoutMs: timeMs - Date.now() + 1000, everyMs: 100 });
}
