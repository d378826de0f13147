import { DailyGrowth } from '@lobbystats/service-kit/concurrency';

/** Numbers of rows by kind. */
export interface BoardSizes {
  readonly boards: number;
  readonly entries: number;
  readonly changes: number;
}

/**
 * Rows that may come in a UTC day, and rows in all. Changes are history that is kept for good, so what is too much is not
 * recorded: removing older rows would let a hostile day displace them.
 */
export const BOARD_LIMITS: { readonly perDay: BoardSizes; readonly all: BoardSizes } = {
  perDay: { boards: 50_000, entries: 5_000_000, changes: 250_000 },
  all: { boards: 200_000, entries: 20_000_000, changes: 50_000_000 },
};

export const NO_ROWS: BoardSizes = { boards: 0, entries: 0, changes: 0 };

export function addSizes(one: BoardSizes, other: BoardSizes): BoardSizes {
  return mapSizes((kind) => one[kind] + other[kind]);
}

export function fitsIn(room: BoardSizes, added: BoardSizes): boolean {
  return KINDS.every((kind) => added[kind] <= room[kind]);
}

/** Counts rows by UTC day. Counts are of this process. */
export class BoardGrowth {
  readonly #all: BoardSizes;
  readonly #growth: Readonly<Record<keyof BoardSizes, DailyGrowth>>;

  /** @param now epoch milliseconds */
  constructor({ perDay, all }: typeof BOARD_LIMITS, now: () => number) {
    const ofDay = (base: number) => new DailyGrowth({ base, share: 0 }, now);
    this.#all = all;
    this.#growth = {
      boards: ofDay(perDay.boards),
      entries: ofDay(perDay.entries),
      changes: ofDay(perDay.changes),
    };
  }

  /** Rows that may come now. */
  room(stored: BoardSizes): BoardSizes {
    return mapSizes((kind) => Math.max(0, Math.min(this.#growth[kind].allowance(0), this.#all[kind] - stored[kind])));
  }

  record(added: BoardSizes): void {
    for (const kind of KINDS) this.#growth[kind].record(added[kind]);
  }
}

const KINDS = Object.keys(NO_ROWS) as (keyof BoardSizes)[];

function mapSizes(sizeOf: (kind: keyof BoardSizes) => number): BoardSizes {
  return { boards: sizeOf('boards'), entries: sizeOf('entries'), changes: sizeOf('changes') };
}
