import { messageOf } from '@lobbystats/contracts/errors';
import { parseSavedPage, type PageReaders, type SavedPageName } from '../replay/saved-page.ts';
import type { SavedLine } from '../replay/replay.ts';
import { describeReading, sourceLine } from './describe-reading.ts';

export interface SavedPagesParts {
  lines: AsyncIterable<SavedLine>;
  readers: PageReaders;
  nameOf: (url: string) => SavedPageName | undefined;
}

/** Reads saved pages with the readers of their sources. Returns the exit code of `network try`. */
export async function trySavedPages(
  { lines, readers, nameOf }: SavedPagesParts,
  printLine: (line: string) => void,
): Promise<0 | 1 | 2> {
  let [read, refused] = [0, 0];
  for await (const { number, text = '' } of lines) {
    if (text.trim() === '') continue;
    try {
      const { url, at, body } = parseSavedPage(text);
      const name = nameOf(url);
      if (name === undefined) throw new Error(`${url.slice(0, 200)} is of no source`);
      const [source, description] = await describe(name, body, at);
      printLine(sourceLine(source, `${new URL(url).pathname}: ${description}`));
      read += 1;
    } catch (error) {
      refused += 1;
      printLine(`line ${number} refused: ${messageOf(error)}`);
    }
  }
  if (read === 0) return 1;
  return refused === 0 ? 0 : 2;

  async function describe(name: SavedPageName, body: string, at: number): Promise<[source: string, text: string]> {
    switch (name.page) {
      case 'home':
        return ['homepage', describeReading.homepage(await readers.homepage(body))];
      case 'game':
        return ['titles', describeReading.titles(await readers.gamePage(body, name.titleId))];
      case 'board':
        return ['leaderboards', describeReading.leaderboards(await readers.boardPage(body, name.board, name.number))];
      case 'events':
        return ['events', describeReading.events(await readers.events(body))];
      case 'players':
        return ['players', describeReading.players(await readers.players(body, at))];
    }
  }
}
