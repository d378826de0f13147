import { DAY_SECONDS, formatTimestamp, operations } from '@lobbystats/contracts';
import type { Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { missingText, missingTextOperations } from '../../parts/missing-text.ts';
import { part } from '../../parts/part.ts';
import { recordList, recordsOf, recordsOperations } from '../../parts/records.ts';

const { listChanges } = operations;

/** Operations that {@link weekRecords} asks. */
export const weekRecordsOperations = [listChanges, ...recordsOperations, ...missingTextOperations] as const;

const SHOWN = 6;

/** The newest records of the last seven days, and how many there are. */
export async function weekRecords(
  data: PageData,
): Promise<{ readonly shown: Html; readonly total: number | undefined }> {
  // Whole hours: the same request in all views of an hour.
  const since = formatTimestamp(data.now - (data.now % 3600) - 7 * DAY_SECONDS);
  const [page, missing] = await Promise.all([
    data.askPart(listChanges, {}, { records: 'only', since, limit: SHOWN }),
    missingText('leaderboards', data),
  ]);
  const records = await recordsOf(page?.changes, data);
  const shown = part(page, ({ changes }) =>
    recordList(changes, records, data.titles, missing ?? 'No record has fallen in the last seven days'),
  );
  return { shown, total: page?.total };
}
