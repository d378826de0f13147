import { formatRaceTime, operations, type Change, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import type { PageData } from '../page.ts';
import { distanceOf } from './distance.ts';
import { gamePicture } from './game-card.ts';
import { list } from './list.ts';
import { boardLink, gameLink, name, playerLink, time, type Titles } from './text.ts';

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

/** Records as sentences with the game's picture: `Ember Fox took Old Pier from Oak85 by 0.056 s`. */
export function recordList(changes: readonly Change[], records: Records, titles: Titles, empty: string): Html {
  return list<Change>({
    ...{ id: 'record', rows: changes, key: ({ id }) => id, empty, className: 'list records' },
    item: (change) => {
      const { titleId, gameName, playerName, isTime, newRating, newTimeMs, changedAt } = change;
      const rating = isTime ? formatRaceTime(newTimeMs ?? 0) : (newRating ?? '');
      return html`${titles.known(titleId) && gamePicture(titleId, 40)}
        <div>
          <p>${playerLink(playerName)} ${recordText(change, records.get(change.id), titles)}</p>
          <p class="hint">
            <b>${name(rating)}</b> · ${gameLink(titles, titleId, gameName, false)} · ${time(changedAt)}
          </p>
        </div>`;
    },
  });
}

/** `took Old Pier from Oak85 by 0.056 s`, after the name of the player. */
export function recordText(change: Change, beaten: Beaten | undefined, titles: Titles): Html {
  const board = boardLink(titles, change);
  if (beaten === undefined) return html`took the record of ${board}`;
  const by = byText(change, beaten);
  return beaten.playerName === change.playerName
    ? html`bettered their own record of ${board}${by}`
    : html`took ${board} from ${playerLink(beaten.playerName)}${by}`;
}

/** ` by 0.056 s`; nothing if it is unknown. */
function byText({ isTime, newRating, newTimeMs }: Change, beaten: Beaten): string {
  const after = { isTime, rating: newRating ?? '', timeMs: newTimeMs ?? 0 };
  const distance = distanceOf(after, { ...beaten, isTime });
  return distance === undefined ? '' : ` by ${distance}`;
}
