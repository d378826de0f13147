import { connect, type Socket } from 'node:net';
import type { ReadersCommand, ReadersReply } from './stream-commands.ts';

const AT_ONCE = 100;
/** Distinguishes the event from heartbeats and position events. */
const EVENT = Buffer.from('event: online');

/** Readers of one server. */
interface Group {
  count: number;
  sockets: Socket[];
  arrived: number;
  isOver: boolean;
  onAll: (text: string) => void;
}

const groups = new Map<string, Group>();

process.on('disconnect', () => process.exit());
process.on('message', (order: ReadersCommand) => {
  if (order.do === 'connect') void connectAll(order);
  else if (order.do === 'expect') awaitEvent(order.name);
  else disconnectAll(order.name);
});

async function connectAll({ name, url, count }: Extract<ReadersCommand, { do: 'connect' }>): Promise<void> {
  const group: Group = { count, sockets: [], arrived: 0, isOver: false, onAll: () => undefined };
  groups.set(name, group);
  for (let connected = 0; connected < count; connected += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - connected) }, () => open(new URL(url), group)));
  }
  reply({ connected: count });
}

function open(url: URL, group: Group): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    });
    group.sockets.push(socket);
    socket.once('data', (chunk) => {
      if (chunk.toString('latin1').startsWith('HTTP/1.1 200 ')) resolve();
      else reject(new Error('A reader was rejected'));
    });
    socket.on('data', (chunk) => {
      if (chunk.includes(EVENT)) onEvent(group, chunk);
    });
    socket.on('error', reject);
    socket.on('close', () => {
      // Ends this process and with it the benchmark.
      if (!group.isOver) throw new Error('A reader was disconnected');
    });
  });
}

function onEvent(group: Group, chunk: Buffer): void {
  group.arrived += 1;
  if (group.arrived === group.count) group.onAll(chunk.toString());
}

function disconnectAll(name: string): void {
  const group = groups.get(name);
  if (group !== undefined) group.isOver = true;
  for (const socket of group?.sockets ?? []) socket.destroy();
  reply({ connected: 0 });
}

function awaitEvent(name: string): void {
  const group = groups.get(name);
  if (group === undefined) return;
  group.arrived = 0;
  group.onAll = (text) => reply({ last: process.hrtime.bigint().toString(), text });
}

function reply(words: ReadersReply): void {
  process.send?.(words);
}
