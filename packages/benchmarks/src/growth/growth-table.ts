import type { Finding } from '../benchmark.ts';
import type { Cost } from './cost.ts';

export interface ScaledCosts {
  readonly factor: number;
  readonly costs: readonly Cost[];
}

/** Largest growth of a cost per unit from the smallest to the largest scale: leaves room for noise and caches. */
const BOUND = 2;
const NAME_WIDTH = 46;
const CELL_WIDTH = 12;

/** Lines: the cost at each scale, and its growth per unit. */
export function growthTable(scaled: readonly ScaledCosts[]): string[] {
  const head = [
    ''.padEnd(NAME_WIDTH),
    ...scaled.map(({ factor }) => `${factor}x`.padStart(CELL_WIDTH)),
    'growth per'.padStart(CELL_WIDTH),
  ];
  return [
    head.join(' '),
    ...namesOf(scaled).map((what) => {
      const found = scaled.map(({ costs }) => costs.find((cost) => cost.what === what));
      const cells = found.map((cost) =>
        (cost === undefined ? '-' : `${format(cost.amount)} ${cost.unit}`).padStart(CELL_WIDTH),
      );
      const growth = growthOf(found);
      const unit = found.find((cost) => cost?.per)?.per?.what;
      return [what.padEnd(NAME_WIDTH), ...cells, `${growth.toFixed(2).padStart(6)} ${unit ?? ''}`].join(' ');
    }),
  ];
}

/** One for each cost: its growth per unit, against no growth. */
export function findingsOf(part: string, scaled: readonly ScaledCosts[]): Finding[] {
  return namesOf(scaled).flatMap((what) => {
    const found = scaled.map(({ costs }) => costs.find((cost) => cost.what === what));
    const [first, last] = [found.at(0), found.at(-1)];
    if (scaled.length < 2 || first === undefined) return [];
    if (last === undefined) return [missing(part, what, first)];
    return [
      {
        what: `${part}: ${what}`,
        measured: `${format(last.amount)} ${last.unit}${last.per ? ` for ${last.per.count} ${last.per.what}` : ''}`,
        reference: `${format(first.amount)} ${first.unit}${first.per ? ` for ${first.per.count}` : ''}`,
        ratio: growthOf(found),
        bound: BOUND,
      },
    ];
  });
}

function missing(part: string, what: string, first: Cost): Finding {
  const reference = `${format(first.amount)} ${first.unit}`;
  return { what: `${part}: ${what}`, measured: 'nothing', reference, ratio: Infinity, bound: BOUND };
}

function namesOf(scaled: readonly ScaledCosts[]): string[] {
  return [...new Set(scaled.flatMap(({ costs }) => costs.map(({ what }) => what)))];
}

/** Cost per unit at the largest scale, as a multiple of the smallest scale's. */
function growthOf(found: readonly (Cost | undefined)[]): number {
  const perUnit = (cost: Cost | undefined) => (cost === undefined ? Number.NaN : cost.amount / (cost.per?.count ?? 1));
  return perUnit(found.at(-1)) / perUnit(found.at(0));
}

function format(amount: number): string {
  return amount >= 100 ? amount.toFixed(0) : amount.toPrecision(3);
}
