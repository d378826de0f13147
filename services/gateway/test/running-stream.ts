import type { MessageBus, Subscription } from '@lobbystats/service-kit/bus';
import { createHealth, createHttpService, createMetrics, silentLogger } from '@lobbystats/service-kit';
import { cleanUp, memoryBus } from '@lobbystats/test-kit';
import type { StreamHub } from '../src/stream/stream-hub.ts';
import { StreamLog } from '../src/stream/stream-log.ts';
import { TitleDirectory } from '../src/titles/title-directory.ts';
import { mountStream } from '../src/stream/stream.routes.ts';
import { backfillStream, type BackfillOptions, type BackfillStream } from '../src/stream/backfill-stream.bus.ts';
import { createStreamHub } from '../src/stream/create-stream-hub.routes.ts';
import { HARBOR } from './network.ts';

export interface RunStreamOptions extends Pick<BackfillOptions, 'limits' | 'facts' | 'deadlineMs'> {
  bus?: MessageBus;
  /** Length of a heartbeat second in milliseconds. Default: 1000. */
  secondMs?: number;
}

/** The event stream of a gateway alone: listens, and reads the log from its end after the backfill. */
export interface RunningStream {
  readonly url: string;
  readonly bus: MessageBus;
  readonly hub: StreamHub;
  readonly metrics: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function runStream({
  bus: injectedBus,
  secondMs,
  ...options
}: RunStreamOptions = {}): Promise<RunningStream> {
  const bus = injectedBus ?? (await memoryBus());
  const metrics = createMetrics('gateway');
  const directory = new TitleDirectory();
  directory.load({ revision: 1, titles: [HARBOR] });
  const hub = createStreamHub(metrics);
  const following = await startLogReader(bus, hub, backfillStream({ bus, directory, ...options }));
  hub.startHeartbeat(secondMs);
  const http = createHttpService({
    name: 'gateway',
    host: '127.0.0.1',
    port: 0,
    logger: silentLogger(),
    metrics,
    health: createHealth({ service: 'gateway' }),
    routes: [],
    configure: (app) => mountStream(app, hub),
    stopTimeoutMs: 5000,
  });
  const stop = async () => {
    hub.close();
    await Promise.all([http.stop(), following.stop()]);
  };
  cleanUp(stop);
  const { url } = await http.start();
  return { url, bus, hub, stop, metrics: () => metrics.registry.metrics() };
}

/** A log at a position, with an empty backlog. */
export function emptyLog(position: string): StreamLog {
  const limits = { minEvents: 8, maxEvents: 8, maxBytes: 1_000_000 };
  return new StreamLog(position, { limits, titles: { nameOf: () => '' }, pause: () => Promise.resolve() });
}

async function startLogReader(bus: MessageBus, hub: StreamHub, backfill: BackfillStream): Promise<Subscription> {
  const from = await bus.logEnd();
  hub.begin(await backfill(from));
  return bus.readLog({
    from,
    onEntry: (entry) => hub.append(entry),
    onFault: (error) => {
      throw error;
    },
  });
}
