import { html, raw, type Html } from '../../html.ts';
import { table } from '../../parts/table.ts';

/** Something of each of two players, in the order of the page. */
export type Pair<Value> = readonly [Value, Value];

interface VersusRow {
  readonly key: string | number;
  /** It names what is compared, and stands between both. */
  readonly head: Html | string;
  readonly cells: Pair<Html | string>;
  readonly ahead: 0 | 1 | undefined;
  /** Drawn as a bar of two parts. */
  readonly sizes?: Pair<number>;
}

interface Versus {
  /** Names the rows, once in the page. */
  readonly id: string;
  readonly caption: string;
  /** It heads the column between both players. */
  readonly heading: string;
  readonly names: Pair<string>;
  readonly rows: readonly VersusRow[];
}

/** Rows of the first player's value, what is compared, and the second player's value; the better one is marked. */
export function versusTable({ id, caption, heading, names, rows }: Versus): Html {
  const cellOf = (index: 0 | 1) => ({
    heading: names[index],
    cell: ({ cells, ahead }: VersusRow) =>
      ahead === index ? html`<b class="ahead series-${index + 1}">${cells[index]}</b>` : cells[index],
  });
  return html`<div class="versus">
    ${table<VersusRow>({
      ...{ id, caption, rows, key: ({ key }) => key, empty: '' },
      columns: [
        { ...cellOf(0), isNumber: true },
        { heading, isHead: true, cell: ({ head, sizes }) => html`${head} ${sizes && versusBar(sizes)}` },
        cellOf(1),
      ],
    })}
  </div>`;
}

/** A bar of two parts, in the colors of the players; nothing of two zeros. Decoration. */
export function versusBar([a, b]: Pair<number>): Html | '' {
  if (a + b === 0) return '';
  const share = Math.round((100 * a) / (a + b));
  const part = (series: 1 | 2, x: number, width: number) =>
    `<rect class="series-${series}" x="${x}" width="${width}" height="6"/>`;
  return html`<svg class="versus-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    ${raw(part(1, 0, share) + part(2, share, 100 - share))}
  </svg>`;
}

/** The index of the greater value; undefined for equal ones, and for one that is unknown. */
export function aheadOf([a, b]: Pair<number | undefined>): 0 | 1 | undefined {
  if (a === undefined || b === undefined || a === b) return undefined;
  return a > b ? 0 : 1;
}
