import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { redactText } from '@lobbystats/service-kit';

/** `Date` has a resolution of a second. */
const WARNING_SKEW_MS = 2000;
/** The default tolerance for a network's clock. */
const FAULT_SKEW_MS = 5000;
/** Slots are collected within two minutes. */
const WARNING_AGE_SECONDS = 2 * SLOT_SECONDS + 120;
const FAULT_AGE_SECONDS = 6 * SLOT_SECONDS;
const LOW_DISK_BYTES = 2e9;
const CRITICAL_DISK_BYTES = 2e8;

type Severity = 'ok' | 'warning' | 'fault';

export interface Finding {
  readonly part: string;
  readonly grade: Severity;
  readonly text: string;
  /** Remedy. */
  readonly todo?: string;
}

export type FindingFactory = ReturnType<typeof findingsOf>;

/** Details never contain secrets. */
export function findingsOf(part: string) {
  const withRemedy =
    (grade: Severity) =>
    (text: string, todo: string): Finding => ({ part, grade, text: redactText(text), todo: redactText(todo) });
  return {
    ok: (text: string): Finding => ({ part, grade: 'ok', text: redactText(text) }),
    warning: withRemedy('warning'),
    fault: withRemedy('fault'),
  };
}

export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.flatMap(({ part, grade, text, todo }) => [
    `${grade.padEnd(7)}  ${part.padEnd(width)}  ${text}`,
    ...(todo === undefined ? [] : [`${' '.repeat(11 + width)}-> ${todo}`]),
  ]);
  const count = (grade: Severity) => findings.filter((finding) => finding.grade === grade).length;
  const [faults, warnings] = [counted(count('fault'), 'fault'), counted(count('warning'), 'warning')];
  return `${lines.join('\n')}\n\n${faults}, ${warnings}, ${count('ok')} ok\n`;
}

/** `1 fault`, `2 faults` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export interface ClockReading {
  readonly aheadMs: number;
  readonly toleranceMs: number;
}

export function clockFinding(name: string, { aheadMs, toleranceMs }: ClockReading): Finding {
  const part = findingsOf(name);
  const off = Math.max(Math.abs(aheadMs) - toleranceMs, 0);
  const text = `clock ${off <= WARNING_SKEW_MS ? 'in sync' : `${(off / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`}`;
  const todo = 'synchronise both machines with NTP: slots and expiry depend on the clock';
  if (off > FAULT_SKEW_MS) return part.fault(text, todo);
  return off > WARNING_SKEW_MS ? part.warning(text, todo) : part.ok(text);
}

/** @param newest epoch seconds; undefined when no slot is stored */
export function slotFinding(newest: number | undefined, now: number, running: boolean): Finding {
  const part = findingsOf('slots');
  const todo = 'check the log of the collectors, the network, and the queue of series-api';
  if (newest === undefined) {
    return running ? part.warning('no slot is stored yet', todo) : part.ok('no slot is stored yet');
  }
  const age = now - newest;
  const text = `the newest slot is ${formatInstant(newest)}, ${counted(Math.round(age / 60), 'minute')} ago`;
  if (!running || age <= WARNING_AGE_SECONDS) return part.ok(text);
  return age > FAULT_AGE_SECONDS ? part.fault(text, todo) : part.warning(text, todo);
}

/** Empty when the stores belong to one network. */
export function originFindings(part: FindingFactory, stores: string, origins: ReadonlySet<string>): Finding[] {
  if (origins.size <= 1) return [];
  const text = `${stores} belong to several networks: ${[...origins].join(', ')}`;
  return [part.fault(text, 'restore a backup of one of them')];
}

export function outboxFinding(name: string, backlog: number, running: boolean): Finding {
  const part = findingsOf(name);
  const text = `${counted(backlog, 'fact')} in the outbox`;
  if (backlog <= 1000 || !running) return part.ok(text);
  return part.warning(text, 'check that the service runs and the bus accepts messages');
}

export function checkDisk(directory: string): Finding {
  let existing = resolve(directory);
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  return freeSpaceFinding(findingsOf('disk'), bavail * bsize, directory);
}

export function freeSpaceFinding(part: FindingFactory, free: number, where: string): Finding {
  const text = `${(free / 1e9).toFixed(1)} GB free for ${where}`;
  if (free < CRITICAL_DISK_BYTES) return part.fault(text, 'free space now: writes fail when the disk is full');
  return free < LOW_DISK_BYTES ? part.warning(text, 'free space or use a larger disk') : part.ok(text);
}
