import { keepFocusAndSelection } from './update-page.ts';

/** Lists of a page that are in no rank: the reader and their friends stand first there. */
const LISTS = '#lobbies tbody, .people';

/** Moves the marked rows of {@link LISTS} to the top. Others, and rows that lose their mark, have the order of the page. */
export function putPeopleFirst(root: ParentNode): void {
  for (const list of root.querySelectorAll(LISTS)) {
    const rows = [...list.children] as HTMLElement[];
    if (!rows.some(({ dataset }) => 'person' in dataset || 'place' in dataset)) continue;
    for (const [place, { dataset }] of rows.entries()) dataset['place'] ??= String(place);
    const ordered = rows.toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)) || placeOf(a) - placeOf(b));
    if (ordered.every((row, index) => row === rows[index])) continue;
    keepFocusAndSelection(() => list.append(...ordered));
  }
}

/** Marks rows of a fetched page like the same ones of the shown page, so that the update leaves them where they are. */
export function keepPeople(shown: ParentNode, fetched: ParentNode): void {
  for (const { id, dataset } of shown.querySelectorAll<HTMLElement>('[data-person][id]')) {
    const same = fetched.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    if (same !== null) same.dataset['person'] = dataset['person'];
  }
  putPeopleFirst(fetched);
}

function isOther({ dataset }: HTMLElement): boolean {
  return !('person' in dataset);
}

/** Index of the row on the page as it was sent. */
function placeOf({ dataset }: HTMLElement): number {
  return Number(dataset['place']);
}
