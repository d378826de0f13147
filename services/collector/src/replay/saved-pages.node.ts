import { closeSync, openSync, writeSync, createReadStream } from 'node:fs';
import type { AxiosInstance } from 'axios';
import { formatSavedPage, type SavedPage } from './saved-page.ts';
import type { SavedLine } from './replay.ts';

export function openPageFile(path: string) {
  const file = openSync(path, 'a');
  return {
    save(page: SavedPage): void {
      writeSync(file, `${formatSavedPage(page)}\n`);
    },
    close(): void {
      closeSync(file);
    },
  };
}

/** JSON escapes may double the length of a page of 5 MB. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;
const REPLAY_TIMEOUT_MS = 6 * 3_600_000;

/** @throws Error when the source can't be read */
export async function* savedLines(source: string, client: AxiosInstance): AsyncGenerator<SavedLine> {
  let number = 0;
  let pending = '';
  let isTooLong = false;
  const lineOf = (text: string): SavedLine => {
    number += 1;
    return { number, text: isTooLong ? undefined : text };
  };
  for await (const chunk of await chunksOf(source, client)) {
    const parts = (pending + chunk).split('\n');
    pending = parts.pop() ?? '';
    for (const part of parts) {
      yield lineOf(part);
      isTooLong = false;
    }
    if (pending.length > MAX_LINE_CHARACTERS) {
      isTooLong = true;
      pending = '';
    }
  }
  if (pending !== '' || isTooLong) yield lineOf(pending);
}

async function chunksOf(source: string, client: AxiosInstance): Promise<AsyncIterable<string>> {
  if (!/^https?:\/\//i.test(source)) return createReadStream(source, { encoding: 'utf8' }) as AsyncIterable<string>;
  const { status, data } = await client.get<NodeJS.ReadableStream>(source, {
    responseType: 'stream',
    maxContentLength: Infinity,
    timeout: REPLAY_TIMEOUT_MS,
  });
  if (status !== 200) throw new Error(`${source} answers ${status}`);
  return data.setEncoding('utf8') as unknown as AsyncIterable<string>;
}
