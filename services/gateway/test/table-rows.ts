import type { ReadPage } from './page-text.ts';

/** Rows of a page's tables as texts of their cells: `2 | Ember Fox | 0:49.400`. */
export function tableRows({ document }: ReadPage, selector: string): string[] {
  return Array.from(document.querySelectorAll(`${selector} tbody tr`), (row) =>
    Array.from(row.querySelectorAll(':scope > *'), (cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim()).join(
      ' | ',
    ),
  );
}
