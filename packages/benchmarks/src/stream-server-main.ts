import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { operations, slotStored, streamEvents } from '@lobbystats/contracts';
import { gatewayService } from '@lobbystats/gateway';
import { openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import type { ServerCommand, ServerReply } from './stream-commands.ts';

/** A stream server that the benchmark controls. */
interface StreamServer {
  readonly url: string;
  /** Sends one event to every reader. */
  broadcast(number: number, text: string): Promise<void>;
}

const server = process.argv[2] === 'gateway' ? await startGateway() : await startBare();
reply({ url: server.url });
process.on('disconnect', () => process.exit());
process.on('message', (order: ServerCommand) => {
  void handleCommand(order);
});

async function handleCommand(order: ServerCommand): Promise<void> {
  if (order.do === 'say') {
    const began = process.hrtime.bigint().toString();
    await server.broadcast(order.number, order.text);
    reply({ began });
    return;
  }
  // Collect garbage, which is not the memory of readers.
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    // The collection goes on in the background.
    await wait(200);
  }
  reply({ bytes: process.memoryUsage().rss });
}

function reply(words: ServerReply): void {
  process.send?.(words);
}

/** Starts the whole gateway with an empty catalog. */
async function startGateway(): Promise<StreamServer> {
  const catalog = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ revision: 1, titles: [] }));
  });
  await new Promise<void>((resolve) => catalog.listen(0, '127.0.0.1', resolve));
  const bus = await openBus({ url: 'memory:', origin: 'simulated' });
  const config = gatewayService.readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    CATALOG_API_URL: `http://127.0.0.1:${(catalog.address() as AddressInfo).port}`,
  });
  const gateway = await gatewayService.create(config, { bus, logger: silentLogger() });
  await gateway.start();
  const ready = await fetch(gateway.url() + operations.listChangedGames.path);
  await ready.body?.cancel();
  return {
    url: gateway.url() + streamEvents.path,
    broadcast: (number) => bus.publish(slotStored, { slot: '2026-01-31T18:05:00Z', online: number, lobbies: 4 }),
  };
}

/** Starts a bare node:http server with one response per reader and one write to each. */
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
    broadcast: async (_number, text) => {
      const bytes = Buffer.from(text);
      for (const res of readers) res.write(bytes);
    },
  };
}
