import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { docker } from '@lobbystats/test-kit/docker';
import { IMAGE } from './image.ts';

const run = promisify(execFile);
/** Addresses of the documentation range (RFC 5737). */
const [HOST_ADDRESS, ADDRESS] = ['203.0.113.1', '203.0.113.2'];
const ip = (...args: string[]) => run('ip', args);
const PORT = 8080;
const LISTEN = `require('http').createServer((_req, res) => res.end('outside')).listen(${PORT})`;

/** A host that is linked to this machine without a route to the Docker networks, like a host on the Internet. */
export interface OutsideHost {
  readonly address: string;
  readonly port: number;
  /** The address of this machine for the outside host. */
  readonly machine: string;
  /** Requests a URL from there; resolves to the status. */
  get(url: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * Connects a container without a network to this machine by a veth pair, which is removed with the container.
 *
 * @throws Error when the process is not root on the Docker host or iproute2 is missing
 */
export async function openOutsideHost(): Promise<OutsideHost> {
  const id = await docker(['run', '-d', '--rm', '--network', 'none', IMAGE, 'node', '-e', LISTEN]);
  const close = async (): Promise<void> => {
    await docker(['rm', '-f', id]);
  };
  try {
    const pid = await docker(['inspect', '-f', '{{.State.Pid}}', id]);
    const [hostInterface, containerInterface] = [`out${process.pid}h`, `out${process.pid}c`];
    await ip('link', 'add', hostInterface, 'type', 'veth', 'peer', 'name', containerInterface, 'netns', pid);
    await ip('address', 'add', `${HOST_ADDRESS}/30`, 'dev', hostInterface);
    await ip('link', 'set', hostInterface, 'up');
    const inside = ['-t', pid, '-n', 'ip'];
    await run('nsenter', [...inside, 'address', 'add', `${ADDRESS}/30`, 'dev', containerInterface]);
    await run('nsenter', [...inside, 'link', 'set', containerInterface, 'up']);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...{ address: ADDRESS, port: PORT, machine: HOST_ADDRESS, close },
    get: async (url) => {
      const program = `fetch('${url}').then((answer) => console.log(answer.status), () => console.log(0))`;
      return Number(await docker(['exec', id, 'node', '-e', program]));
    },
  };
}
