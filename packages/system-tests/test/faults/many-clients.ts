import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { IMAGE } from '../stack/image.ts';
import type { Fault } from './inject.ts';

/**
 * Opens connections and sends a request on each. A client that does not read takes only the status of its response. Prints how many
 * connections have had a status.
 */
const PROGRAM = `
  const { count, path, isReading } = JSON.parse(process.argv[1]);
  let answered = 0;
  const open = () => {
    const socket = require('net').connect(8080, 'nginx');
    socket.once('connect', () => socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: test\\r\\n\\r\\n'));
    socket.on('error', () => undefined);
    socket.once('readable', () => { socket.read(12); answered += 1; if (isReading) socket.resume(); });
  };
  // One after the other: so many at once would be refused as an overload.
  for (let i = 0; i < count; i += 1) setTimeout(open, i * 10);
  setInterval(() => console.log(answered), 1000);
`;

interface Clients {
  /** Number of client addresses: containers. */
  readonly addresses: number;
  readonly connections: number;
  readonly path: string;
  /** Whether they read more than the status of their responses. Default: true. */
  readonly isReading?: boolean;
}

/** Clients that hold connections to the public port. The fault has begun when each has an answer. */
export function manyClients({ addresses, connections, path, isReading = true }: Clients): Fault {
  return async ({ project }, ending) => {
    const settings = JSON.stringify({ path, isReading, count: connections / addresses });
    // Small receive buffers, so that unread responses fill the buffers of the sender.
    const options = ['--ulimit', 'nofile=8192', '--sysctl', 'net.ipv4.tcp_rmem=4096 4096 8192'];
    const run = [
      'run',
      '-d',
      '--rm',
      '--network',
      `${project}_public`,
      ...options,
      IMAGE,
      'node',
      '-e',
      PROGRAM,
      settings,
    ];
    const containers: string[] = [];
    ending.defer(async () => {
      await docker(['rm', '-f', ...containers]);
    });
    for (let started = 0; started < addresses; started += 1) containers.push(await docker(run));
    await eventually(
      async () => {
        const lines = await Promise.all(containers.map((id) => docker(['logs', '--tail', '1', id])));
        expect(lines.reduce((sum, line) => sum + Number(line), 0)).toBe(connections);
      },
      { timeoutMs: 300_000, everyMs: 500 },
    );
  };
}
