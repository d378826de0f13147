import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, slotStored, streamEvents } from '@lobbystats/contracts';
import { createGateway, readGatewayConfig } from '@lobbystats/gateway';
import { openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import type { ServerOrder, ServerReply } from './stream-orders.ts';

/** A server of streams that does as its parent says. */
interface StreamServer {
  readonly url: string;
  /** Says one event to every reader. */
  say(number: number, text: string): Promise<void>;
}

const server = process.argv[2] === 'gateway' ? await startGateway() : await startBare();
reply({ url: server.url });
process.on('disconnect', () => process.exit());
process.on('message', (order: ServerOrder) => {
  void obey(order);
});

async function obey(order: ServerOrder): Promise<void> {
  if (order.do === 'say') {
    const began = process.hrtime.bigint().toString();
    await server.say(order.number, order.text);
    reply({ began });
    return;
  }
  // What is garbage by now is no reader's.
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  reply({ bytes: process.memoryUsage().rss });
}

function reply(words: ServerReply): void {
  process.send?.(words);
}

/** The whole gateway, with a catalog of no titles behind it. */
async function startGateway(): Promise<StreamServer> {
  const catalog = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ revision: 1, titles: [] }));
  });
  await new Promise<void>((resolve) => catalog.listen(0, '127.0.0.1', resolve));
  const bus = await openBus({ url: 'memory:', origin: 'simulated' });
  const config = readGatewayConfig({
    PORT: '0',
    METRICS_PORT: '0',
    CATALOG_API_URL: `http://127.0.0.1:${(catalog.address() as AddressInfo).port}`,
  });
  const gateway = await createGateway(config, { bus, logger: silentLogger() });
  await gateway.start();
  const ready = await fetch(gateway.url() + operations.listChangedGames.path);
  await ready.body?.cancel();
  return {
    url: gateway.url() + streamEvents.path,
    say: (number) => bus.publish(slotStored, { slot: '2026-01-31T18:05:00Z', online: number, lobbies: 4 }),
  };
}

/** What node:http does of itself: an answer a reader, and a write to each. */
async function startBare(): Promise<StreamServer> {
  const readers = new Set<ServerResponse>();
  const bare = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    res.flushHeaders();
    readers.add(res);
    res.on('close', () => readers.delete(res));
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`,
    say: async (_number, text) => {
      const bytes = Buffer.from(text);
      for (const res of readers) res.write(bytes);
    },
  };
}
