import * as broken from '../drills/faults/broken-server.ts';
import { deadLetters as lettersOf } from '../drills/faults/dead-letters.ts';
import { docker } from '../stack/docker.ts';

/** What stands before every `docker compose` command of the stack under test. */
export const project = JSON.parse(process.env['TEST_STACK'] ?? '[]') as string[];

/** Where the public door of the stack under test is. */
export const gateway = String(process.env['TEST_GATEWAY_URL']);

/** `docker compose` of the stack under test; resolves to what it printed. */
export function compose(...args: string[]): Promise<string> {
  return docker([...project, ...args]);
}

/** Where a port of a service is published. */
export async function published(service: string, port: number): Promise<string> {
  return `http://${await compose('port', service, String(port))}`;
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
export function killAndStart(service: string): Promise<void> {
  return broken.killAndStart({ compose }, service);
}

/** Stands still for so long, as on a host that swaps or migrates. */
export function pauseFor(service: string, seconds: number): Promise<void> {
  return broken.whilePaused({ compose }, service, () => broken.until(Date.now() + seconds * 1000));
}

/** What operators would find: messages that could not be handled. */
export function deadLetters(): Promise<unknown[]> {
  return lettersOf({ compose });
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
