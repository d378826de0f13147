import { closeSync, openSync, writeSync } from 'node:fs';
import { formatSavedPage, type SavedPage } from './saved-page.ts';

export interface PageFile {
  save(page: SavedPage): void;
  close(): void;
}

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
