import { closeSync, openSync, writeSync } from 'node:fs';
import { formatSavedPage, type SavedPage } from '../../domain/saved-page.ts';

/** A file that pages are saved to, a line a page. */
export interface PageFile {
  save(page: SavedPage): void;
  close(): void;
}

/** Opens a file for pages; behind those that are in it already. */
export function openPageFile(path: string): PageFile {
  const file = openSync(path, 'a');
  return {
    save(page) {
      writeSync(file, `${formatSavedPage(page)}\n`);
    },
    close() {
      closeSync(file);
    },
  };
}
