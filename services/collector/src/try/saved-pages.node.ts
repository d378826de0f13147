import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { instant, networkSources } from '@lobbystats/contracts';
import { z } from 'zod';

/** A page or feed as the network answered: a line of a file of `--save`. */
const savedPage = z.object({
  source: z.enum(['homepage', ...networkSources]),
  /** Those of its URL, such as `titleId`. */
  values: z.record(z.string(), z.unknown()),
  url: z.url(),
  at: instant,
  body: z.string(),
});
export type SavedPage = z.output<typeof savedPage>;

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

/** @throws Error for a line that is no saved page */
export function parseSavedPage(line: string): SavedPage {
  try {
    return savedPage.parse(JSON.parse(line));
  } catch (error) {
    throw new Error('it is no page that --save of this release wrote', { cause: error });
  }
}
