import { networkSources } from '@lobbystats/contracts';
import type { Leadership } from '@lobbystats/service-kit/bus';
import { createHttpClient, readVersion } from '@lobbystats/service-kit';
import { isForeign, type CollectorConfig } from './config.ts';
import { maxConcurrentBoards } from './side-tasks.ts';
import type { BoardHistory, SnapshotHistory, PlayerHistory } from './network/history.ts';
import type { NetworkSource } from './network/network.ts';
import { maxConcurrentPages } from './slots/collect-page.ts';
import type { Time } from './time/time.ts';
import {
  createBoardHistoryFeed,
  createHistoryFeed,
  createPlayerHistoryFeed,
  type HistorySource,
} from './backfills/history-feeds.http.ts';
import { askingOnlyWhatIsThere } from './sources/client/asking-only-what-is-there.ts';
import type { IconSource } from './polls/icon-source.ts';
import { createNetworkIcons } from './polls/icons.http.ts';
import { openSite } from './open-site.http.ts';
import type { SourceForms } from './sources/descriptions/source-forms.ts';
import type { Parse } from './sources/parsing/parsers.node.ts';
import { createSourceStates, type SourceStates, type SourceStatesParts } from './sources/client/source-states.ts';
import type { SiteParts } from './sources/client/site-requests.http.ts';
import { createRateLimitedClient, type RateLimitedClient } from './sources/client/rate-limited-client.http.ts';
import { createHttpGet, type HttpClient } from './sources/client/http-client.http.ts';
import { requestQueue } from './sources/client/request-queue.ts';
import { createRefusedSources, type RefusedSources } from './sources/client/refused-sources.ts';
import { createRobotsGate } from './sources/client/robots-gate.http.ts';

export interface OpenedNetwork {
  readonly network: NetworkSource;
  readonly sources: SourceStates;
  readonly refusals: RefusedSources;
  readonly icons: IconSource;
  /** For other pages, within the same limits. */
  readonly client: Pick<RateLimitedClient, 'get'>;
  /** Undefined for a network without a history feed. */
  readonly history: SnapshotHistory | undefined;
  readonly boardHistory: BoardHistory | undefined;
  readonly playerHistory: PlayerHistory | undefined;
}

export interface OpenNetworkParts extends Pick<SiteParts, 'pages' | 'telemetry' | 'leewaySeconds' | 'isConditional'> {
  http: HttpClient;
  parse: Parse;
  forms: SourceForms;
  time: Time;
  leadership: Leadership;
  onSourcesChange: SourceStatesParts['onChange'];
}

/** The network as the leading collector sees it. One client for the whole of it, since the rate limit covers all requests. */
export function openNetwork(config: CollectorConfig, parts: OpenNetworkParts): OpenedNetwork {
  const { HISTORY_URL: historyUrl } = config;
  const { NETWORK_CLOCK_TOLERANCE_SECONDS: toleranceSeconds } = config;
  const { parse, time, forms } = parts;
  const client = createClient(config, parts);
  const now = () => time.now();
  const site = { ...parts, client, now, toleranceSeconds };
  const past = <Feed>(create: (feed: HistorySource) => Feed, path = '') =>
    historyUrl === undefined ? undefined : create({ client, parse, time, url: historyUrl + path });
  const sources = createSourceStates({
    ...parts,
    turnedOff: () => networkSources.filter((source) => forms[source] === null),
    now,
    onChange: parts.onSourcesChange,
  });
  const refusals = createRefusedSources({ ...parts, now, onChange: parts.onSourcesChange });
  return {
    network: askingOnlyWhatIsThere(openSite(site), sources, refusals),
    sources,
    client,
    refusals,
    icons: createNetworkIcons({
      ...site,
      hosts: { networkUrl: config.NETWORK_URL, publicUrl: config.NETWORK_PUBLIC_URL },
    }),
    history: past(createHistoryFeed),
    boardHistory: past(createBoardHistoryFeed, '/boards'),
    playerHistory: past(createPlayerHistoryFeed, '/players'),
  };
}

function createClient(config: CollectorConfig, parts: OpenNetworkParts) {
  const { COLLECTOR_MAX_RPS: perSecond } = config;
  const { telemetry, time, pages, leadership } = parts;
  const robots = isForeign(config) ? createRobotsGate(PRODUCT, () => time.now()) : undefined;
  const queue = requestQueue({
    ...leadership,
    perSecond: () => Math.min(perSecond, 1000 / (robots?.delayMs() ?? 0)),
    onWaiting: (count) => telemetry.requestsWaiting(count),
  });
  const quiet = {
    load: async () => Number((await pages.get(QUIET))?.reading ?? 0),
    store: (untilMs: number) =>
      pages.put(QUIET, { etag: null, lastModified: null, reading: String(untilMs) }, time.now()),
  };
  return createRateLimitedClient({ ...parts, publicHttp: openHttpClient(config, time, true), queue, quiet, robots });
}

/** No URL has this form. */
const QUIET = 'retry after';

/** Allows one connection per concurrent request. @param onlyPublic connects to public addresses alone */
export function openHttpClient(config: CollectorConfig, { now }: Pick<Time, 'now'>, onlyPublic = false): HttpClient {
  const { COLLECTOR_MAX_RPS: perSecond } = config;
  const client = createHttpClient({
    timeoutMs: 10_000,
    maxBytes: 5 * 1024 * 1024,
    userAgent: userAgentOf(config),
    maxSockets: maxConcurrentPages(perSecond) + maxConcurrentBoards(perSecond) + 6,
    onlyPublic,
    onlyPublicDomains: !onlyPublic,
  });
  return createHttpGet(client, now);
}

const PRODUCT = 'Lobbystats';

/** Names the release and how to reach its operator. */
function userAgentOf({ COLLECTOR_CONTACT }: Pick<CollectorConfig, 'COLLECTOR_CONTACT'>): string {
  return `${PRODUCT}/${readVersion()} (+${COLLECTOR_CONTACT})`;
}
