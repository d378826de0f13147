import type { Backoff } from '@lobbystats/service-kit/concurrency';
import { formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import type { Leadership, MessageBus } from '@lobbystats/service-kit/bus';
import type { Shell } from '@lobbystats/service-kit';
import { openPageFile, savedLines } from './try/saved-pages.node.ts';
import { openHttpClient, openNetwork } from './open-network.http.ts';
import { createPageReader, type SourceRequest } from './sources/client/page-reader.http.ts';
import { openForms } from './open-forms.node.ts';
import { createPageKeeper } from './slots/page-keeper.node.ts';
import { createReadAgain } from './slots/read-again.ts';
import { createTitleAdmission } from './titles/title-admission.ts';
import { boundHistories } from './backfills/bound-history.ts';
import { createTitleBound } from './titles/title-bound.ts';
import { createPageParser, type PageParser } from './sources/parsing/page-parser.node.ts';
import { openSqliteCollectorStore } from './collector-store.sqlite.ts';
import { createServiceTelemetry } from './telemetry/telemetry.node.ts';
import { systemTime } from './time/time.node.ts';
import { maxIconsPerSlot } from './polls/icons-poll.ts';
import type { CollectorConfig } from './config.ts';
import { clockMarginsOf } from './time/slot-times.ts';
import { trackStatus } from './telemetry/collector-status.ts';
import type { CollectorStore } from './collector-store.ts';
import { passOf } from './boards/board-schedule.ts';
import { createBusPublisher } from './messages/observation.bus.ts';
import type { BackfillProgress } from './telemetry/telemetry.ts';

export interface CollectorParts {
  store: CollectorStore;
  bus: MessageBus;
  /** Default: one with processes of its own. */
  parser: PageParser | undefined;
  /** Receives each page and feed verbatim; disables conditional requests. */
  saveTo: string | undefined;
  /** Before a page is requested again after a failure. */
  backoffMs: Backoff;
  onFillProgress: ((progress: BackfillProgress) => void) | undefined;
}

type CollectorContext = Shell<CollectorConfig> & CollectorParts;

export type Worker = Awaited<ReturnType<typeof openWorker>>;
export type Collection = ReturnType<typeof openCollection>;

/** Opens the parts of any replica: it reads pages for the leader. */
export async function openWorker(context: CollectorContext) {
  const { config, stopping, use, saveTo, clock } = context;
  const { status, telemetry } = trackStatus(createServiceTelemetry(context));
  const time = systemTime(clock);
  const file = saveTo === undefined ? undefined : await use(undefined, () => openPageFile(saveTo));
  const { parse } = await use(context.parser, () => createPageParser({ telemetry, stopping }));
  const http = openHttpClient(config, time);
  const { forms, refresh } = openForms(config, parse, telemetry);
  const keeper = createPageKeeper(context.store.kept);
  const readPage = createPageReader({
    http,
    forms,
    now: () => time.now(),
    onPage:
      file &&
      (({ source, values }, url, body) =>
        file.save({ source, values: { ...values }, url, at: formatInstant(Math.floor(time.now() / 1000)), body })),
    onRefused: ({ source, values, seenAt: slot }, body) =>
      keeper
        .keep({ slot, source, values }, body, forms.version)
        .catch((error: unknown) => telemetry.fault('a refused page can not be kept', error)),
  });
  return {
    status,
    telemetry,
    time,
    parse,
    http,
    forms,
    refreshForms: refresh,
    keeper,
    /** A request of another release fails, and the leader repeats it. */
    work: (job: unknown, signal: AbortSignal) => {
      refresh();
      return readPage(job as SourceRequest, signal);
    },
  };
}

/** Opens the parts of the leading collector. `settleMs`: from the start of a slot to its first request. */
export function openCollection(context: CollectorContext, worker: Worker, leadership: Leadership) {
  const { config, store, bus, saveTo, backoffMs: backoff } = context;
  const { status, telemetry, time, forms, keeper, refreshForms } = worker;
  const { settleMs, leewaySeconds } = clockMarginsOf(config.NETWORK_CLOCK_TOLERANCE_SECONDS);
  const publisher = createBusPublisher(bus);
  /** The first slot in which the homepage could not be read. */
  let failingSince: EpochSeconds | null = null;
  const network = openNetwork(config, {
    ...worker,
    pages: store.pages,
    leadership,
    leewaySeconds,
    isConditional: saveTo === undefined,
    onSourcesChange: () => publishSourcesAt(Math.floor(time.now() / 1000)),
  });
  const { sources, refusals } = network;
  const publishSourcesAt = async (at: EpochSeconds) =>
    publisher.publishSources({ missing: await sources.missing(), refused: refusals.list(), failingSince }, at);
  const titleBound = createTitleBound(store.titles);
  const readAgain = createReadAgain({
    ...{ ...store, ...worker, sources, publisher, titleBound },
    admit: createTitleAdmission(store.titles, telemetry),
    stopping: leadership.signal,
  });
  let publishedPass: EpochSeconds | undefined;
  /** In the first slot, and then every hour: gateways that start later read the newest facts alone. */
  const publishSources = async (slot: EpochSeconds) => {
    if (passOf(slot) === publishedPass) return;
    await publishSourcesAt(slot);
    publishedPass = passOf(slot);
  };
  const noteNetwork = async (slot: EpochSeconds, isAnswering: boolean) => {
    if (isAnswering === (failingSince === null)) return;
    failingSince = isAnswering ? null : slot;
    await publishSourcesAt(slot);
  };
  return {
    bus,
    store,
    ...network,
    ...boundHistories(network, titleBound),
    titleBound,
    publishSources,
    readAgain,
    noteNetwork,
    forms,
    keeper,
    refreshForms,
    publisher,
    telemetry,
    status,
    time,
    backoff,
    settleMs,
    maxIconsPerSlot: maxIconsPerSlot(config.COLLECTOR_MAX_RPS),
    stopping: leadership.signal,
  };
}

/** How long a command waits for other collectors to stop. */
const MAX_WAIT_MS = 15_000;

/** Leads once, as a command does. Undefined when another collector leads. */
export async function leadOnce<Result>(
  context: CollectorContext,
  run: (collection: Collection) => Promise<Result>,
): Promise<Result | undefined> {
  const worker = await openWorker(context);
  const { bus, stopping } = context;
  const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>();
  const isLed = new AbortController();
  const subscription = await bus.join({
    work: worker.work,
    lead: async (leadership) => {
      isLed.abort();
      await run(openCollection(context, worker, leadership)).then(resolve, reject);
    },
  });
  void worker.time.sleep(MAX_WAIT_MS, AbortSignal.any([isLed.signal, stopping])).then(() => {
    if (!isLed.signal.aborted) resolve(undefined);
  });
  return promise.finally(() => subscription.stop());
}

/** Loads the MongoDB driver only for a MongoDB URL. */
export async function openStore({
  DATABASE_URL: url,
  NETWORK_ORIGIN: origin,
}: Pick<CollectorConfig, 'DATABASE_URL' | 'NETWORK_ORIGIN'>): Promise<CollectorStore> {
  if (!url.startsWith('mongodb')) return openSqliteCollectorStore(url, origin);
  const { openMongoCollectorStore } = await import('./collector-store.mongo.ts');
  return openMongoCollectorStore(url, origin);
}

/** Opens what `network try` reads of a file of saved pages. */
export async function openSavedPages(path: string, context: CollectorContext) {
  const { forms } = await openWorker(context);
  return { forms, lines: savedLines(path) };
}
