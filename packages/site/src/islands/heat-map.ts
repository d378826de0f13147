import { zoneName } from './local-time.ts';

/** The chosen cell, by column and row: an update of the page replaces the elements. */
let chosen: { readonly column: number; readonly row: number } | undefined;

/** Lets mouse, touch and keyboard read a cell of the heat map, whose numbers narrow screens hide. */
export function readHeatMap(main: HTMLElement): void {
  const table = main.querySelector<HTMLTableElement>('table.heat');
  const region = table?.parentElement;
  const readout = main.querySelector<HTMLElement>('#heat-readout');
  if (table === null || region === null || region === undefined || readout === null) return;
  const show = () => {
    for (const cell of table.querySelectorAll('td.chosen')) cell.classList.remove('chosen');
    const cell = chosen && table.tBodies[0]?.rows[chosen.row]?.cells[chosen.column];
    if (cell instanceof HTMLTableCellElement) {
      cell.classList.add('chosen');
      readout.textContent = describe(table, cell);
    }
  };
  const choose = ({ target }: Event) => {
    const cell = target instanceof Element ? target.closest('td') : null;
    if (cell === null) return;
    chosen = { column: cell.cellIndex, row: (cell.parentElement as HTMLTableRowElement).sectionRowIndex };
    show();
  };
  const move = (event: KeyboardEvent) => {
    const [right, down] = ARROWS[event.key] ?? [0, 0];
    if (right === 0 && down === 0) return;
    event.preventDefault();
    const { column, row } = chosen ?? { column: 1 - right, row: -down };
    chosen = { column: limit(column + right, 1, 24), row: limit(row + down, 0, 6) };
    show();
  };
  region.onpointerover = choose;
  region.onclick = choose;
  region.onkeydown = move;
  show();
}

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** `Sat 12–13 UTC: average 133` in the chosen zone. */
function describe(table: HTMLTableElement, cell: HTMLTableCellElement): string {
  const day = cell.parentElement?.querySelector('th')?.textContent.trim() ?? '';
  const hour = Number(table.tHead?.rows[0]?.cells[cell.cellIndex]?.textContent ?? 0);
  return `${day} ${hour}–${hour + 1} ${zoneName()}: average ${cell.textContent.trim()}`;
}

function limit(value: number, least: number, greatest: number): number {
  return Math.min(greatest, Math.max(least, value));
}
