import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { findingsOf, type Finding } from './finding.ts';

/** Slots are collected within two minutes. */
const WARNING_AGE_SECONDS = 2 * SLOT_SECONDS + 120;
const FAULT_AGE_SECONDS = 6 * SLOT_SECONDS;

/** @param newest epoch seconds; undefined when no slot is stored */
export function slotFinding(newest: number | undefined, now: number, running: boolean): Finding {
  const part = findingsOf('slots');
  const todo = 'check the log of the collectors, the network, and the queue of series-api';
  if (newest === undefined) {
    return running ? part.warning('no slot is stored yet', todo) : part.ok('no slot is stored yet');
  }
  const age = now - newest;
  const says = `the newest slot is ${formatInstant(newest)}, ${Math.round(age / 60)} minutes ago`;
  if (!running || age <= WARNING_AGE_SECONDS) return part.ok(says);
  return age > FAULT_AGE_SECONDS ? part.fault(says, todo) : part.warning(says, todo);
}

export function outboxFinding(name: string, backlog: number, running: boolean): Finding {
  const part = findingsOf(name);
  const says = `${backlog} facts in the outbox`;
  if (backlog <= 1000 || !running) return part.ok(says);
  return part.warning(says, 'check that the service runs and the bus accepts messages');
}
