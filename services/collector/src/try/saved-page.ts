import { instant, networkSources } from '@lobbystats/contracts';
import { z } from 'zod';

/** A page or feed as the network answered: a line of a file of `--save`. */
const savedPage = z.object({
  source: z.enum(['homepage', ...networkSources]),
  /** They fill the placeholders of the source's URL, such as `titleId`. */
  values: z.record(z.string(), z.unknown()),
  url: z.url(),
  at: instant,
  body: z.string(),
});
export type SavedPage = z.output<typeof savedPage>;

/** @throws Error for a line that is no saved page */
export function parseSavedPage(line: string): SavedPage {
  try {
    return savedPage.parse(JSON.parse(line));
  } catch (error) {
    throw new Error('it is no page that --save of this release wrote', { cause: error });
  }
}
