import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { SavedPage } from './saved-page.ts';

export function openPageFile(path: string) {
  const file = openSync(path, 'a');
  return {
    save(page: SavedPage): void {
      writeSync(file, `${JSON.stringify(page)}\n`);
    },
    close(): void {
      closeSync(file);
    },
  };
}

/** @throws Error when the file can't be read */
export async function* savedLines(path: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) yield line;
}
