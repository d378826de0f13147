import { links } from '../links.ts';
import { formatValue } from '../plots/plot-texts.ts';
import { betterText, distanceOf, type Entry } from '../parts/distance.ts';
import { apiOf, isNotFound } from './api.ts';
import type { Session } from './island.ts';
import { keyOf, peopleOf } from './people.ts';
import { updateContent } from './update-page.ts';

/** The reader's own entry and the next target, in view while the leaderboard scrolls. Nothing without a session. */
export async function showOwnEntry(element: HTMLElement, session: Session): Promise<void> {
  const { own } = await peopleOf(session);
  const name = own.at(-1);
  // The page around the reader says the same above its rows.
  const shown = new URL(location.href).searchParams.get('around');
  const isShown = name !== undefined && shown !== null && keyOf(shown) === keyOf(name);
  const text = name === undefined || isShown ? [] : await describe(element, session, name).catch(() => []);
  element.classList.toggle('pinned', text.length > 0);
  await updateContent(element, text);
}

async function describe({ dataset }: HTMLElement, session: Session, name: string): Promise<(Node | string)[]> {
  const [titleId = '', leaderboardId] = [dataset['title'], Number(dataset['board'])];
  try {
    const asked = { titleId, leaderboardId, around: name, limit: AROUND };
    const { entries, total } = await apiOf(session).getLeaderboard(asked);
    const entry = entries.find((each) => keyOf(each.name) === keyOf(name));
    if (entry === undefined) return [];
    const place = document.createElement('b');
    place.textContent = `Rank ${formatValue(Number(entry.rank))} of ${formatValue(total)}`;
    const around = document.createElement('a');
    around.href = links.leaderboard(titleId, leaderboardId, { around: name });
    around.textContent = 'Around me';
    return ['You: ', place, ` · ${entry.timeFormatted || entry.rating}`, targetText(entry, entries), ' · ', around];
  } catch (error) {
    if (isNotFound(error)) return ['You are not on this leaderboard.'];
    throw error;
  }
}

/** Enough for the next better rank, unless many share the reader's. */
const AROUND = 25;

function targetText(entry: Entry, entries: readonly Entry[]): string {
  const next = entries.findLast(({ rank }) => Number(rank) < Number(entry.rank));
  const distance = next && distanceOf(entry, next);
  return next === undefined || distance === undefined
    ? ''
    : ` · next target: rank ${next.rank}, ${distance} ${betterText(entry)}`;
}
