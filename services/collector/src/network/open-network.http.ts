import { networkSources } from '@lobbystats/contracts';
import { createHttpClient, readVersion } from '@lobbystats/service-kit';
import { isForeign, type CollectorConfig } from '../config.ts';
import { maxConcurrentBoards } from '../leaderboards/board-collection.ts';
import type { BoardHistory, SnapshotHistory, PlayerHistory } from '../backfills/history.ts';
import type { NetworkSource } from './network.ts';
import { maxConcurrentPages } from '../slots/collect-page.ts';
import type { Time } from '../time/time.ts';
import {
  createBoardHistoryFeed,
  createHistoryFeed,
  createPlayerHistoryFeed,
  type HistorySource,
} from '../backfills/history-feeds.http.ts';
import { askingOnlyWhatIsThere } from './asking-only-what-is-there.ts';
import type { IconSource } from '../icons/icon-source.ts';
import { createNetworkIcons } from '../icons/icons.http.ts';
import { openSite } from './open-site.http.ts';
import type { SourceForms } from './source-forms.ts';
import type { Parse } from '../parsing/parsers.process.ts';
import { createSourceStates, type SourceStates, type SourceStatesParts } from './source-states.ts';
import type { SiteParts } from './site-requests.http.ts';
import { createRateLimitedClient } from './rate-limited-client.http.ts';
import { localPacer } from './local-pacer.timers.ts';
import type { PermitStore } from './permit-store.ts';
import { requestQueue } from './request-queue.ts';
import { createRobotsGate } from './robots-gate.http.ts';
import { sharedPacer } from './shared-pacer.timers.ts';

export interface OpenedNetwork {
  readonly network: NetworkSource;
  readonly sources: SourceStates;
  readonly icons: IconSource;
  /** Undefined for a network without a history feed. */
  readonly history: SnapshotHistory | undefined;
  readonly boardHistory: BoardHistory | undefined;
  readonly playerHistory: PlayerHistory | undefined;
}

export interface OpenNetworkParts extends Pick<
  SiteParts,
  'pages' | 'leases' | 'telemetry' | 'leewaySeconds' | 'onPage'
> {
  parse: Parse;
  forms: SourceForms;
  time: Time;
  stopping: AbortSignal;
  /** Undefined when this process is the only collector. */
  permits: PermitStore | undefined;
  onSourcesChange: SourceStatesParts['onChange'];
}

/** One client for the whole network, since the rate limit covers all requests. */
export function openNetwork(config: CollectorConfig, parts: OpenNetworkParts): OpenedNetwork {
  const { HISTORY_URL: historyUrl } = config;
  const { NETWORK_CLOCK_TOLERANCE_SECONDS: toleranceSeconds } = config;
  const { parse, time } = parts;
  const { client, publicClient } = createClients(config, parts);
  const now = () => time.now();
  const { forms } = parts;
  const site = { ...parts, client, now, forms, toleranceSeconds };
  const past = <Feed>(create: (feed: HistorySource) => Feed, path = '') =>
    historyUrl === undefined ? undefined : create({ client, parse, time, url: historyUrl + path });
  const sources = createSourceStates({
    ...parts,
    turnedOff: networkSources.filter((source) => forms[source] === null),
    now,
    onChange: parts.onSourcesChange,
  });
  return {
    network: askingOnlyWhatIsThere(openSite(site), sources),
    sources,
    icons: createNetworkIcons({
      ...site,
      publicClient,
      hosts: { networkUrl: config.NETWORK_URL, publicUrl: config.NETWORK_PUBLIC_URL },
    }),
    history: past(createHistoryFeed),
    boardHistory: past(createBoardHistoryFeed, '/boards'),
    playerHistory: past(createPlayerHistoryFeed, '/players'),
  };
}

/** Two clients of one rate. Each allows one connection per concurrent request. */
function createClients(config: CollectorConfig, { telemetry, time, stopping, permits: store }: OpenNetworkParts) {
  const { COLLECTOR_MAX_RPS: perSecond } = config;
  const robots = isForeign(config) ? createRobotsGate(PRODUCT, () => time.now()) : undefined;
  const rate = () => Math.min(perSecond, 1000 / (robots?.delayMs() ?? 0));
  const options = {
    timeoutMs: 10_000,
    maxBytes: 5 * 1024 * 1024,
    userAgent: userAgentOf(config),
    maxSockets: maxConcurrentPages(perSecond) + maxConcurrentBoards(perSecond) + 6,
  };
  const pacer = store === undefined ? localPacer(rate) : sharedPacer({ store, perSecond: rate, telemetry, stopping });
  const onWaiting = (count: number) => telemetry.requestsWaiting(count);
  const queue = requestQueue({ pacer, perSecond, signal: stopping, onWaiting });
  const limited = (onlyPublic: boolean) =>
    createRateLimitedClient({
      client: createHttpClient({ ...options, onlyPublic }),
      ...{ queue, pacer, telemetry, time, robots, stopping },
    });
  return { client: limited(false), publicClient: limited(true) };
}

const PRODUCT = 'Lobbystats';

/** Names the release and how to reach its operator. */
export function userAgentOf({ COLLECTOR_CONTACT }: Pick<CollectorConfig, 'COLLECTOR_CONTACT'>): string {
  return `${PRODUCT}/${readVersion()} (+${COLLECTOR_CONTACT})`;
}
