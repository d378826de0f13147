import { isNotFound, apiOf } from './api.ts';
import type { Session } from './island.ts';
import { updateContent } from './update-page.ts';

const counts = new Intl.NumberFormat('en');

/** How many of the shown achievements the reader has, with a mark at each. Nothing without a session. */
export async function showProgress(element: HTMLElement, session: Session): Promise<void> {
  const username = session.auth.getUsername();
  const found = username === null ? undefined : await achievementsOf(session, username);
  const all = found?.achievements ?? [];
  const earned = new Set(all.filter((one) => one.earned).map(({ id }) => String(id)));
  for (const row of document.querySelectorAll<HTMLElement>('#catalogue tbody tr')) {
    const id = /\/achievement\/(\d+)$/.exec(row.querySelector('a')?.pathname ?? '')?.[1] ?? '';
    row.toggleAttribute('data-earned', earned.has(id));
  }
  if (found === undefined) {
    element.replaceChildren();
    return;
  }
  const bar = document.createElement('progress');
  bar.max = Math.max(1, all.length);
  bar.value = earned.size;
  bar.ariaLabel = 'Your achievements';
  const text = `You have ${counts.format(earned.size)} of ${counts.format(all.length)} achievements and ${counts.format(found.score)} points.`;
  await updateContent(element, [text, bar]);
}

async function achievementsOf(session: Session, username: string) {
  try {
    return await apiOf(session).getUserAchievements({ username });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
