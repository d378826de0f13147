import { formatInstant } from '@lobbystats/contracts';
import type { Logger, Metrics } from '@lobbystats/service-kit';
import { PageNotUnderstoodError } from '../../domain/page-failures.ts';
import { lobbiesOf, missingOf } from '../../domain/slot-observation.ts';
import type { FillProgress, Telemetry } from '../../domain/telemetry.ts';
import { createFailureSamples } from './failure-samples.ts';

const SLOT_SECONDS_BUCKETS = [1, 2.5, 5, 10, 15, 20, 30, 45, 60, 90, 120, 300];

export interface ServiceTelemetryParts {
  logger: Logger;
  metrics: Metrics;
  clock: () => number;
  onFillProgress?: (progress: FillProgress) => void;
}

export function createServiceTelemetry({ logger, metrics, clock, onFillProgress }: ServiceTelemetryParts): Telemetry {
  const pages = metrics.counter('pages_total', 'Pages of the network by what became of them', ['page', 'outcome']);
  const terminated = metrics.counter(
    'pages_terminated_total',
    'Pages and feeds that took too much time or memory to parse',
    ['page', 'reason'],
  );
  const requests = metrics.counter('network_requests_total', 'Requests sent to the network');
  const waits = metrics.histogram('network_request_wait_seconds', 'How long requests waited for their turn');
  const slots = metrics.counter('slots_total', 'Slots by how they ended', ['outcome']);
  const durations = metrics.histogram(
    'slot_seconds',
    'From a slot’s beginning to its end, of those that lack nothing',
    [],
    SLOT_SECONDS_BUCKETS,
  );
  const skipped = metrics.counter('homepage_rows_skipped_total', 'Rows of the homepage that could not be read');
  const filled = metrics.gauge('fill_slots', 'Slots of the past: those that are done, and all', ['part']);
  const boards = metrics.counter('boards_total', 'Leaderboards by what became of them', ['outcome']);
  const boardsWanted = metrics.counter('boards_wanted_total', 'Leaderboards that were handed out to be read');
  const boardsFilled = metrics.gauge('board_fill_passes', 'Past hours of leaderboards: done, and all', ['part']);
  const events = metrics.counter('events_skipped_total', 'Announced events that could not be read');
  const players = metrics.counter('players_skipped_total', 'Players of the feed who could not be read');
  const faults = metrics.counter('collector_faults_total', 'What failed of our own and is tried again');
  const isLogged = createFailureSamples(clock);

  let isFilling = false;
  const fillProgressed = (progress: FillProgress): void => {
    filled.set({ part: 'done' }, progress.doneSlots);
    filled.set({ part: 'all' }, progress.totalSlots);
    onFillProgress?.(progress);
  };

  return {
    requested(waitedMs) {
      requests.inc();
      waits.observe(waitedMs / 1000);
    },
    pageHad(page, how) {
      pages.inc({ page, outcome: how });
    },
    pageFailed(page, url, failure) {
      pages.inc({ page, outcome: failure.kind });
      if (failure.kind === 'late' || failure.kind === 'busy') return;
      if (!isLogged(`${page} ${failure.kind}`)) return;
      const sample = failure instanceof PageNotUnderstoodError ? { sample: failure.sample } : {};
      logger.warn('a page could not be had', { page, url, kind: failure.kind, reason: failure.message, ...sample });
    },
    pageTerminated(page, reason) {
      terminated.inc({ page, reason });
    },
    rowsSkipped(slot, count) {
      if (count === 0) return;
      skipped.inc(count);
      logger.warn('rows of the homepage could not be read', { slot: formatInstant(slot), count });
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
      else logger.warn('slot finished without all titles', details);
    },
    slotMissed(slot) {
      slots.inc({ outcome: 'missed' });
      logger.error('slot missed: the homepage could not be had', { slot: formatInstant(slot) });
    },
    slotSkipped(slot) {
      slots.inc({ outcome: 'skipped' });
      logger.warn('slot skipped: a later one was said before; was the clock set back?', { slot: formatInstant(slot) });
    },
    fillProgressed(progress) {
      fillProgressed(progress);
      logger.log(isFilling ? 'debug' : 'info', 'bringing in the past', progress);
      isFilling = true;
    },
    fillEnded(progress) {
      fillProgressed(progress);
      logger.info('the past is brought in', progress);
    },
    boardHad(outcome) {
      boards.inc({ outcome });
    },
    boardFailed(board, failure) {
      boards.inc({ outcome: 'failed' });
      if (!isLogged(`board ${failure.kind}`)) return;
      logger.warn('a leaderboard could not be read', { ...board, kind: failure.kind, reason: failure.message });
    },
    boardsWanted(count) {
      boardsWanted.inc(count);
    },
    boardFillProgressed(progress) {
      boardsFilled.set({ part: 'done' }, progress.donePasses);
      boardsFilled.set({ part: 'all' }, progress.totalPasses);
      logger.log(progress.done ? 'info' : 'debug', 'bringing in the leaderboards’ past', progress);
    },
    eventsSkipped(count) {
      if (count === 0) return;
      events.inc(count);
      logger.warn('announced events could not be read', { count });
    },
    playersSkipped(count) {
      if (count === 0) return;
      players.inc(count);
      logger.warn('players of the feed could not be read', { count });
    },
    playerFillProgressed(done) {
      logger.log(done ? 'info' : 'debug', done ? 'the players’ past is brought in' : 'bringing in the players’ past');
    },
    fault(what, error) {
      faults.inc();
      logger.warn(what, { error });
    },
  };
}
