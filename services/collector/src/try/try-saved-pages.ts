import { parseInstant } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import { formOf, type SourceForms } from '../sources/descriptions/source-forms.ts';
import { describeReading, sourceLine } from './describe-reading.ts';
import { parseSavedPage } from './saved-page.ts';

/** Reads saved pages with the forms of their sources. Returns the exit code of `network try`. */
export async function trySavedPages(
  { lines, forms }: { lines: AsyncIterable<string>; forms: SourceForms },
  printLine: (line: string) => void,
): Promise<0 | 1 | 2> {
  let [number, read, refused] = [0, 0, 0];
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const { source, values, url, at, body } = parseSavedPage(line);
      const reading = await formOf(forms, source).read(body, values, parseInstant(at));
      // The reading is that of its source.
      const description = describeReading[source](reading as never);
      printLine(sourceLine(source, `${new URL(url).pathname}: ${description}`));
      read += 1;
    } catch (error) {
      refused += 1;
      printLine(`line ${number} refused: ${messageOf(error)}`);
    }
  }
  if (read === 0) return 1;
  return refused === 0 ? 0 : 2;
}
