import {
  DAY_SECONDS,
  DECLARED_ABSENT,
  formatInstant,
  networkSources,
  SLOT_SECONDS,
  type EpochSeconds,
  type MissingSource,
  type NetworkSourceName,
} from '@lobbystats/contracts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { PageCache } from '../../network/page-cache.ts';
import { absenceOf, PageFailure } from '../../network/page-failures.ts';

/** A source that was read within this time is not missing: a single page of it may be. */
const RECENT_SECONDS = 3 * 3600;
/** The latest reading is stored this often. */
const READ_STEP_SECONDS = 600;

interface SourceState {
  readAt: EpochSeconds | null;
  /** The first answer since the last reading that the network has no such page. */
  absentSince: EpochSeconds | null;
  absentAt: EpochSeconds;
  reason: string;
}

export interface SourceStatesParts {
  /** Kept for the next leader. */
  pages: Pick<PageCache, 'get' | 'put'>;
  telemetry: Pick<Telemetry, 'sourceChecked'>;
  /** Sources that the settings turn off: missing, and never asked for. */
  turnedOff: () => readonly NetworkSourceName[];
  /** Epoch milliseconds. */
  now: () => number;
  /** One was found missing, or there again. */
  onChange: () => Promise<void>;
}

export type SourceStates = ReturnType<typeof createSourceStates>;

/**
 * Knows which sources the network lacks. A missing source is asked for again when it has been missing twice as long as
 * at the last request, at least every day.
 */
export function createSourceStates({ pages, telemetry, turnedOff, now, onChange }: SourceStatesParts) {
  const seconds = () => Math.floor(now() / 1000);
  /** Readings of this process, which save a look at the store for each request. */
  const readings = new Map<NetworkSourceName, EpochSeconds>();
  const wasJustRead = (source: NetworkSourceName) => {
    const ago = seconds() - (readings.get(source) ?? Number.NEGATIVE_INFINITY);
    return ago >= 0 && ago < READ_STEP_SECONDS;
  };
  return { ask, missing };

  /**
   * Runs a request for a source. An answer that the network has no such page counts, as do all readings.
   *
   * @throws PageFailure `absent` without a request while the source is missing, and as soon as it is found missing
   */
  async function ask<Result>(
    source: NetworkSourceName,
    read: () => Promise<Result>,
    reasonOf: (result: Result) => string | undefined = () => undefined,
  ): Promise<Result> {
    if (!wasJustRead(source)) await expectDue(source);
    try {
      const result = await read();
      const reason = reasonOf(result);
      if (reason === undefined) await noteRead(source);
      else await noteAbsent(source, reason);
      return result;
    } catch (error) {
      const reason = absenceOf(error);
      if (reason !== undefined) await noteAbsent(source, reason);
      throw error;
    }
  }

  async function expectDue(source: NetworkSourceName): Promise<void> {
    const state = await stateOf(source);
    const found = missingOf(source, state);
    if (found === undefined || seconds() >= askAgainAt(state)) return;
    telemetry.sourceChecked(source, found);
    throw absent(found);
  }

  async function missing(): Promise<MissingSource[]> {
    const states = await Promise.all(networkSources.map(async (source) => missingOf(source, await stateOf(source))));
    return states.filter((state) => state !== undefined);
  }

  async function noteRead(source: NetworkSourceName): Promise<void> {
    if (wasJustRead(source)) return;
    const state = await stateOf(source);
    telemetry.sourceChecked(source, undefined);
    readings.set(source, seconds());
    const storedAgo = seconds() - (state.readAt ?? 0);
    if (state.absentSince === null && storedAgo >= 0 && storedAgo < READ_STEP_SECONDS) return;
    const wasMissing = missingOf(source, state) !== undefined;
    await store(source, { ...state, readAt: seconds(), absentSince: null });
    if (wasMissing) await onChange();
  }

  /** @throws PageFailure `absent` when the source is missing now */
  async function noteAbsent(source: NetworkSourceName, reason: string): Promise<void> {
    const before = await stateOf(source);
    const state = { ...before, absentSince: before.absentSince ?? seconds(), absentAt: seconds(), reason };
    readings.delete(source);
    await store(source, state);
    const found = missingOf(source, state);
    if (found === undefined) return;
    telemetry.sourceChecked(source, found);
    if (missingOf(source, before) === undefined) await onChange();
    throw absent(found);
  }

  async function stateOf(source: NetworkSourceName): Promise<SourceState> {
    const row = await pages.get(keyOf(source));
    const stored = row === undefined ? UNKNOWN : (JSON.parse(row.reading) as SourceState);
    if (!turnedOff().includes(source)) return stored;
    const off = { ...stored, readAt: null, absentAt: seconds(), reason: DECLARED_ABSENT };
    if (stored.absentSince !== null) return off;
    const since = { ...off, absentSince: seconds() };
    await store(source, since);
    return since;
  }

  async function store(source: NetworkSourceName, state: SourceState): Promise<void> {
    await pages.put(keyOf(source), { etag: null, lastModified: null, reading: JSON.stringify(state) }, now());
  }
}

const UNKNOWN: SourceState = { readAt: null, absentSince: null, absentAt: 0, reason: '' };

/** No URL has this form. */
function keyOf(source: NetworkSourceName): string {
  return `source ${source}`;
}

function missingOf(source: NetworkSourceName, state: SourceState): MissingSource | undefined {
  const { absentSince, absentAt, readAt, reason } = state;
  if (absentSince === null || (readAt !== null && absentAt - readAt < RECENT_SECONDS)) return undefined;
  return { source, since: formatInstant(absentSince), reason };
}

function askAgainAt({ absentSince, absentAt }: SourceState): EpochSeconds {
  const missingFor = absentAt - (absentSince ?? absentAt);
  // A request of the next slot may come a second earlier in it.
  return absentAt + Math.min(Math.max(missingFor, SLOT_SECONDS - 60), DAY_SECONDS);
}

function absent({ source, since, reason }: MissingSource): PageFailure {
  return new PageFailure('absent', `The network has no ${source} since ${since}: ${reason}`);
}
