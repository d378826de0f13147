import { SLOT_SECONDS } from '@lobbystats/contracts';
import { fraction, hashText, mix } from '../world/hash.ts';
import { NO_FAULTS, withFault, type FaultPlan, type Fault } from './fault.ts';

/** Counting restarts beyond this number of URLs. */
const MAX_COUNTED_URLS = 10_000;

export interface FaultList {
  list(): readonly Fault[];
  replace(faults: readonly Fault[]): void;
  /** Chance is a hash of url, slot and the url's request count in the slot, so tests are repeatable. */
  planFor(path: string, url: string, slot: number): FaultPlan;
}

interface Entry {
  place: number;
  fault: Fault;
}

export function createFaultList(initial: readonly Fault[]): FaultList {
  let entries = entriesOf(initial);
  let countedSlot = 0;
  const asked = new Map<string, number>();

  return {
    list: () => entries.map(({ fault }) => fault),
    replace(replacement) {
      entries = entriesOf(replacement);
      asked.clear();
    },
    planFor(path, url, slot) {
      const concerned = entries.filter(({ fault }) => matchesPath(fault.path, path));
      if (concerned.length === 0) return NO_FAULTS;
      const chance = mix(mix(hashText(url), Math.floor(slot / SLOT_SECONDS)), attemptOf(url, slot));
      const striking = concerned.filter(
        ({ fault, place: index }) => fraction(mix(chance, index)) < (fault.probability ?? 1),
      );
      entries = entries.flatMap((entry) => (striking.includes(entry) ? remainingEntries(entry) : [entry]));
      return striking.reduce((plan, { fault }) => withFault(plan, fault), { ...NO_FAULTS, chance });
    },
  };

  function attemptOf(url: string, slot: number): number {
    if (slot !== countedSlot || asked.size >= MAX_COUNTED_URLS) asked.clear();
    countedSlot = slot;
    const attempt = asked.get(url) ?? 0;
    asked.set(url, attempt + 1);
    return attempt;
  }
}

function entriesOf(faults: readonly Fault[]): readonly Entry[] {
  return faults.map((fault, index) => ({ place: index, fault }));
}

function remainingEntries({ place: index, fault }: Entry): Entry[] {
  if (fault.times === undefined) return [{ place: index, fault }];
  return fault.times > 1 ? [{ place: index, fault: { ...fault, times: fault.times - 1 } }] : [];
}

/**
 * `*` matches every page of the network, `/` the homepage, a path with `*` at its end any path with that prefix, and
 * another path itself and all below it.
 */
export function matchesPath(pattern: string, path: string): boolean {
  if (pattern === '*') return isSitePath(path);
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
  if (pattern === path) return true;
  return pattern !== '/' && path.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`);
}

export function isControlApiPath(path: string): boolean {
  return isBelow('/simulator', path);
}

export function isSitePath(path: string): boolean {
  return !['/simulator', '/api/auth', '/discord'].some((root) => isBelow(root, path));
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
