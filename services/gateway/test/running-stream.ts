import type { MessageBus, Running } from '@lobbystats/message-bus';
import { createHealth, createHttpService, createMetrics, silentLogger } from '@lobbystats/service-kit';
import { cleanUp, memoryBus } from '@lobbystats/test-kit';
import type { BacklogLimits } from '../src/domain/stream/backlog.ts';
import type { StreamHub } from '../src/domain/stream/stream-hub.ts';
import { TitleDirectory } from '../src/domain/title-directory.ts';
import { keepBeating } from '../src/http/stream-heartbeat.ts';
import { mountStream } from '../src/http/stream.ts';
import { createStreamHub } from '../src/messaging/stream-hub-of-bus.ts';
import { HARBOR } from './network.ts';

export interface StreamingOptions {
  bus?: MessageBus;
  limits?: BacklogLimits;
  /** What counts as a second for heartbeats, in milliseconds. Default: one. */
  secondMs?: number;
}

/** The stream of a gateway, by itself: it listens, and follows the log from its end. */
export interface Streaming {
  readonly url: string;
  readonly bus: MessageBus;
  readonly hub: StreamHub;
  readonly metrics: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function runStream({ bus: given, limits, secondMs }: StreamingOptions = {}): Promise<Streaming> {
  const bus = given ?? (await memoryBus());
  const metrics = createMetrics('gateway');
  const directory = new TitleDirectory();
  directory.load({ revision: 1, titles: [HARBOR] });
  const hub = createStreamHub({ bus, directory, metrics, ...(limits && { limits }) });
  const following = await follow(bus, hub);
  const stopBeating = keepBeating(hub, secondMs);
  const http = createHttpService({
    name: 'gateway',
    host: '127.0.0.1',
    port: 0,
    logger: silentLogger(),
    metrics,
    health: createHealth({ service: 'gateway', details: {} }),
    routes: [],
    configure: (app) => mountStream(app, hub),
    stopTimeoutMs: 5000,
  });
  const stop = async () => {
    hub.close();
    await Promise.all([http.stop(), stopBeating(), following.stop()]);
  };
  cleanUp(stop);
  const { url } = await http.start();
  return { url, bus, hub, stop, metrics: () => metrics.registry.metrics() };
}

async function follow(bus: MessageBus, hub: StreamHub): Promise<Running> {
  const from = await bus.logEnd();
  hub.begin(from);
  return bus.readLog({
    from,
    onEntry: (entry) => hub.entry(entry),
    onFault: (error) => {
      throw error;
    },
  });
}
