import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { partOf, type Finding } from './finding.ts';

/** Slots are collected within two minutes. */
const LATE_SECONDS = 2 * SLOT_SECONDS + 120;
const VERY_LATE_SECONDS = 6 * SLOT_SECONDS;

/**
 * Epoch seconds; undefined: no slot yet.
 *
 * @param newest epoch seconds; undefined: there is none
 */
export function slotFinding(newest: number | undefined, now: number, running: boolean): Finding {
  const part = partOf('slots');
  const todo = 'see the collectors’ log, the network, and the queue of series-api';
  if (newest === undefined) {
    return running ? part.warning('no slot is stored yet', todo) : part.ok('no slot is stored yet');
  }
  const age = now - newest;
  const says = `the newest slot is of ${formatInstant(newest)}, ${Math.round(age / 60)} minutes ago`;
  if (!running || age <= LATE_SECONDS) return part.ok(says);
  return age > VERY_LATE_SECONDS ? part.fault(says, todo) : part.warning(says, todo);
}

export function outboxFinding(name: string, backlog: number, running: boolean): Finding {
  const part = partOf(name);
  const says = `${backlog} facts wait in its outbox`;
  if (backlog <= 1000 || !running) return part.ok(says);
  return part.warning(says, 'see whether its service runs and the bus takes what it publishes');
}
