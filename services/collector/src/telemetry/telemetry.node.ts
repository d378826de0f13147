import { formatInstant, sourceContents } from '@lobbystats/contracts';
import type { Logger, Metrics } from '@lobbystats/service-kit';
import { remedyOf, UnparseablePageError } from '../network/page-failures.ts';
import { lobbiesOf, missingOf } from '../network/slot-observation.ts';
import type { BackfillProgress, Telemetry } from './telemetry.ts';
import { createFailureSampler } from './failure-sampler.ts';

const SLOT_SECONDS_BUCKETS = [1, 2.5, 5, 10, 15, 20, 30, 45, 60, 90, 120, 300];

export interface ServiceTelemetryParts {
  logger: Logger;
  metrics: Metrics;
  clock: () => number;
  onFillProgress?: ((progress: BackfillProgress) => void) | undefined;
}

export function createServiceTelemetry({ logger, metrics, clock, onFillProgress }: ServiceTelemetryParts): Telemetry {
  const pages = metrics.counter('pages_total', 'Pages of the network by outcome', ['page', 'outcome']);
  const parsed = metrics.histogram(
    'page_parse_seconds',
    'Time that pages and feeds waited for a parser and were parsed',
    ['page'],
  );
  const terminated = metrics.counter(
    'pages_terminated_total',
    'Pages and feeds whose parsing exceeded a time or memory limit',
    ['page', 'reason'],
  );
  const requests = metrics.counter('network_requests_total', 'Requests sent to the network');
  const waits = metrics.histogram('network_request_wait_seconds', 'Time that requests waited for the rate limit');
  const waiting = metrics.gauge('network_requests_waiting', 'Requests that wait for the rate limit');
  const leading = metrics.gauge('collector_leads', 'Whether this replica leads: 1, else 0');
  let quietUntilMs = 0;
  metrics.gauge('network_quiet_seconds', 'Rest of a Retry-After, during which no request is sent', [], (gauge) =>
    gauge.set(Math.max(0, (quietUntilMs - performance.now()) / 1000)),
  );
  const slots = metrics.counter('slots_total', 'Slots by outcome', ['outcome']);
  const durations = metrics.histogram(
    'slot_seconds',
    'Time from the start of a slot to its completion, of complete slots',
    [],
    SLOT_SECONDS_BUCKETS,
  );
  const refused = metrics.counter('titles_refused_total', 'New titles of homepages that had too many of them');
  const refusedMatches = metrics.counter('matches_refused_total', 'Open matches of slots that had too many of them');
  const filled = metrics.gauge('backfill_slots', 'Slots of the snapshot backfill: done and all', ['part']);
  const boards = metrics.counter('boards_total', 'Leaderboards by outcome', ['outcome']);
  const requestedBoards = metrics.counter('boards_requested_total', 'Leaderboard jobs enqueued');
  const boardsFilled = metrics.gauge(
    'backfill_leaderboard_passes',
    'Passes of the leaderboard backfill: done and all',
    ['part'],
  );
  const events = metrics.counter('events_skipped_total', 'Announced events that could not be read');
  const players = metrics.counter('players_skipped_total', 'Players of the feed that could not be read');
  const missingSources = metrics.gauge('network_source_missing', 'Whether the network lacks a source: 1, else 0', [
    'source',
  ]);
  const refusedSources = metrics.gauge(
    'network_source_refused',
    '1 for each source whose pages were all refused in two slots',
    ['source'],
  );
  const loggedMissing = new Set<string>();
  const faults = metrics.counter('collector_faults_total', 'Internal failures that are retried');
  const isLogged = createFailureSampler(clock);

  let loggedTenth = -1;
  const reportBackfill = (progress: BackfillProgress): void => {
    filled.set({ part: 'done' }, progress.doneSlots);
    filled.set({ part: 'all' }, progress.totalSlots);
    onFillProgress?.(progress);
  };

  return {
    requestSent(waitedMs) {
      requests.inc();
      waits.observe(waitedMs / 1000);
    },
    requestsWaiting: (count) => waiting.set(count),
    leads(isLeading) {
      leading.set(isLeading ? 1 : 0);
      logger.info(isLeading ? 'leads the collectors' : 'leads no longer');
    },
    quietAnnounced(remainingMs) {
      quietUntilMs = performance.now() + remainingMs;
    },
    pageRead: (page, how) => pages.inc({ page, outcome: how }),
    pageFailed(page, url, failure) {
      pages.inc({ page, outcome: failure.kind });
      if (failure.kind === 'late' || failure.kind === 'busy') return;
      if (!isLogged(`${page} ${failure.kind}`)) return;
      const sample = failure instanceof UnparseablePageError ? { sample: failure.sample } : {};
      const remedy = remedyOf(failure, url);
      const details = { page, url, kind: failure.kind, reason: failure.message, ...sample };
      logger.warn('page read failed', { ...details, ...(remedy !== undefined && { remedy }) });
    },
    pageParsed: (page, durationMs) => parsed.observe({ page }, durationMs / 1000),
    pageTerminated: (page, reason) => terminated.inc({ page, reason }),
    titlesRefused(slot, count) {
      if (count === 0) return;
      refused.inc(count);
      if (!isLogged('titles refused')) return;
      logger.error('new titles refused: the homepage has too many of them', { slot: formatInstant(slot), count });
    },
    matchesRefused(slot, count) {
      if (count === 0) return;
      refusedMatches.inc(count);
      if (!isLogged('matches refused')) return;
      logger.error('matches refused: there are too many of them', { slot: formatInstant(slot), count });
    },
    slotFinished(slot, observation, durationMs) {
      const missing = missingOf(observation);
      slots.inc({ outcome: missing === 0 ? 'complete' : 'incomplete' });
      // An incomplete slot waits for its deadline, which says nothing about the speed of collection.
      if (missing === 0) durations.observe(durationMs / 1000);
      const { registered, online, titles } = observation;
      const counts = { registered, online, lobbies: lobbiesOf(observation), titles: titles.length, missing };
      const details = { slot: formatInstant(slot), ...counts, seconds: durationMs / 1000 };
      if (missing === 0) logger.info('slot finished', details);
      else logger.warn('slot finished with missing titles', details);
    },
    slotMissed(slot) {
      slots.inc({ outcome: 'missed' });
      logger.error('slot missed: homepage read failed', { slot: formatInstant(slot) });
    },
    slotSkipped(slot) {
      slots.inc({ outcome: 'skipped' });
      logger.warn('slot skipped: a later one is published; was the clock set back?', { slot: formatInstant(slot) });
    },
    backfillProgressed(progress) {
      reportBackfill(progress);
      const tenth = Math.floor((10 * progress.doneSlots) / Math.max(progress.totalSlots, 1));
      logger.log(tenth > loggedTenth ? 'info' : 'debug', 'backfilling snapshots', progress);
      loggedTenth = Math.max(loggedTenth, tenth);
    },
    backfillEnded(progress) {
      reportBackfill(progress);
      logger.info('snapshot backfill finished', progress);
    },
    boardRead: (outcome) => boards.inc({ outcome }),
    boardFailed(board, failure) {
      boards.inc({ outcome: 'failed' });
      if (!isLogged(`board ${failure.kind}`)) return;
      logger.warn('leaderboard read failed', { ...board, kind: failure.kind, reason: failure.message });
    },
    boardsEnqueued: (count) => requestedBoards.inc(count),
    boardBackfillProgressed(progress) {
      boardsFilled.set({ part: 'done' }, progress.donePasses);
      boardsFilled.set({ part: 'all' }, progress.totalPasses);
      logger.log(progress.done ? 'info' : 'debug', 'backfilling leaderboards', progress);
    },
    eventsSkipped(count) {
      if (count === 0) return;
      events.inc(count);
      logger.warn('announced events could not be parsed', { count });
    },
    playersSkipped(count) {
      if (count === 0) return;
      players.inc(count);
      logger.warn('players of the feed could not be parsed', { count });
    },
    playerBackfillProgressed(done) {
      logger.log(done ? 'info' : 'debug', done ? 'play time backfill finished' : 'backfilling play time');
    },
    sourceChecked(source, missing) {
      missingSources.set({ source }, missing === undefined ? 0 : 1);
      const wasMissing = loggedMissing.has(source);
      if (missing !== undefined && !wasMissing) {
        loggedMissing.add(source);
        logger.warn(`the network has no ${sourceContents[source]}`, { ...missing });
      } else if (missing === undefined && loggedMissing.delete(source)) {
        logger.info(`the network has ${sourceContents[source]} again`, { source });
      }
    },
    sourcesRefused(refused) {
      refusedSources.reset();
      for (const { source, since, reason } of refused) {
        refusedSources.set({ source }, 1);
        logger.error('pages of a source are refused', { source, since, reason });
      }
    },
    slotCompleted(slot, missing) {
      logger.info('slot completed by pages that were refused before', { slot: formatInstant(slot), missing });
    },
    fault(what, error) {
      faults.inc();
      logger.warn(what, { error });
    },
  };
}
