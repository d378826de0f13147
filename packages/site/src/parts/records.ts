import { operations, type Change, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import type { PageData } from '../page.ts';
import { distanceOf } from './distance.ts';
import { playerLink } from './text.ts';

const { listRecords } = operations;

type Beaten = OperationResponse<typeof listRecords>[number]['beaten'];
/** The entries that records have beaten, by the ids of their changes. */
export type Records = ReadonlyMap<number, Beaten>;

export const recordsOperations = [listRecords] as const;

/** The map is empty while catalog-api is unavailable. */
export async function recordsOf(changes: readonly Change[] | undefined, data: PageData): Promise<Records> {
  const ids = (changes ?? []).filter(({ newRank }) => newRank === 1).map(({ id }) => id);
  const records = ids.length === 0 ? [] : await data.find(listRecords, {}, { ids: ids.join(',') });
  return new Map(records?.map(({ id, beaten }) => [id, beaten]));
}

/** `Took it from Oak85 by 0.056 s`; nothing of another change. */
export function beatenText(
  { playerName, isTime, newRating, newTimeMs }: Change,
  beaten: Beaten | undefined,
): Html | '' {
  if (beaten === undefined) return '';
  const after = { isTime, rating: newRating ?? '', timeMs: newTimeMs ?? 0 };
  const distance = distanceOf(after, { ...beaten, isTime });
  const by = distance === undefined ? '' : ` by ${distance}`;
  return beaten.playerName === playerName
    ? html`Bettered their own record${by}`
    : html`Took it from ${playerLink(beaten.playerName)}${by}`;
}
