import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { IMAGE } from '../../stack/image.ts';

/** Opens connections, sends a request on each, reads the status and nothing more; prints the counts of statuses each second. */
const PROGRAM = `
  const { host, port, count, request } = JSON.parse(process.argv[1]);
  const counts = { sent: 0, closed: 0 };
  const open = () => {
    const socket = require('net').connect(port, host, () => socket.write(request, () => { counts.sent += 1; }));
    socket.on('error', () => undefined).on('close', () => { counts.closed += 1; });
    socket.once('readable', () => {
      const status = String(socket.read(12) ?? 'none').slice(9);
      counts[status] = (counts[status] ?? 0) + 1;
    });
  };
  // One after the other: so many at once would be refused as an overload.
  for (let i = 0; i < count; i += 1) setTimeout(open, i * 20);
  setInterval(() => console.log(JSON.stringify(counts)), 1000);
`;

export interface UnreadOptions {
  /** The Docker network of the readers. */
  readonly network: string;
  readonly host: string;
  readonly port: number;
  /** The complete request of each connection. */
  readonly request: string;
  readonly connections: number;
  /** Number of client addresses (containers). */
  readonly addresses: number;
}

/** Connections that never read their responses. */
export interface UnreadResponses {
  /** Connections by response status; `sent` counts all, `closed` the aborted ones. */
  counts(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** Resolves when every connection has sent its request. */
export async function openUnreadConnections(options: UnreadOptions): Promise<UnreadResponses> {
  const { network, host, port, request, connections, addresses } = options;
  const settings = JSON.stringify({ host, port, request, count: connections / addresses });
  // Small, so that responses fill the buffers of the sender and not those of the reader.
  const receiveBuffers = 'net.ipv4.tcp_rmem=4096 4096 8192';
  const run = [
    'run',
    '-d',
    '--rm',
    '--network',
    network,
    '--sysctl',
    receiveBuffers,
    IMAGE,
    'node',
    '-e',
    PROGRAM,
    settings,
  ];
  const ids = await Promise.all(Array.from({ length: addresses }, () => docker(run)));
  const close = async (): Promise<void> => {
    await docker(['rm', '-f', ...ids]);
  };
  const counts = async (): Promise<Record<string, number>> => {
    const sum: Record<string, number> = {};
    for (const line of await Promise.all(ids.map((id) => docker(['logs', '--tail', '1', id])))) {
      const one = JSON.parse(line === '' ? '{}' : line) as Record<string, number>;
      for (const [name, count] of Object.entries(one)) sum[name] = (sum[name] ?? 0) + count;
    }
    return sum;
  };
  const sent = async (): Promise<void> => {
    const { sent: count = 0 } = await counts();
    if (count < connections) throw new Error(`${count} of ${connections} requests are sent`);
  };
  try {
    await eventually(sent, { timeoutMs: 30_000, everyMs: 500 });
  } catch (error) {
    await close();
    throw error;
  }
  return { counts, close };
}
