import { backfillText, operations, sourceContents, type NetworkSourceName } from '@lobbystats/contracts';
import type { PageData } from '../page.ts';

const { getStatus } = operations;

/** The operation that {@link missingText} asks. */
export const missingTextOperations = [getStatus] as const;

/** Returns why lists of a source are empty, if the network does not offer it or its past is still being read. */
export async function missingText(source: NetworkSourceName, data: PageData): Promise<string | undefined> {
  const status = await data.askPart(getStatus);
  const isMissing = status?.missingSources.some((missing) => missing.source === source) ?? false;
  if (isMissing) return `The network offers no ${sourceContents[source]}`;
  return backfillText(status?.backfill.filter(({ part }) => part === source) ?? []);
}
