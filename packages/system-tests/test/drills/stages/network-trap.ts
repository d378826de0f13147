import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { docker } from '@lobbystats/test-kit/docker';
import { IMAGE } from '../../stack/image.ts';
import type { Trap } from './stage.ts';

const PORT = 8443;
const LISTEN = `require('net').createServer((socket) => { console.log('connected'); socket.destroy(); }).listen(${PORT}, () => console.log('listening'))`;

/** Starts a container on the network of the services that counts connections to any of its addresses. */
export async function openNetworkTrap(project: string): Promise<Trap> {
  const network = `${project}_inside`;
  const run = ['run', '-d', '--rm', '--network', network, '--network-alias', 'trap', IMAGE];
  const id = await docker([...run, 'node', '-e', LISTEN]);
  await eventually(async () => expect(await docker(['logs', id])).toContain('listening'), { timeoutMs: 20_000 });
  const format = `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`;
  const address = await docker(['inspect', '-f', format, id]);
  const decimal = address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
  return {
    addresses: [address, String(decimal), 'trap', `[::ffff:${address}]`].map((host) => `${host}:${PORT}`),
    connections: async () => (await docker(['logs', id])).split('connected').length - 1,
    close: async () => {
      await docker(['rm', '-f', id]);
    },
  };
}
