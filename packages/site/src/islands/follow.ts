import { apiOf, attempt } from './api.ts';
import { find, noticeOf, onClick } from './form.ts';
import type { Session } from './island.ts';

type Kind = 'game' | 'leaderboard' | 'player' | 'event';

const shownFor = new WeakMap<HTMLElement, string | null>();

/** The button by which a signed-in reader follows what the page shows. */
export async function showFollow(element: HTMLElement, session: Session): Promise<void> {
  const user = session.auth.getUsername();
  const before = shownFor.get(element);
  if (before === user) return;
  shownFor.set(element, user);
  const button = find<HTMLButtonElement>(element, 'button');
  if (before === undefined) bind(element, button, session);
  find(element, 'a.button').hidden = user !== null;
  button.hidden = true;
  find(element, '.manage').hidden = true;
  if (user === null) return;
  await attempt({ session, notice: noticeOf(element) }, async () => {
    const { following } = await apiOf(session).listFollowing();
    if (session.auth.getUsername() !== user) return;
    const { kind, id } = targetOf(element);
    const isSame = (one: string) => one.trim().toLowerCase() === id.toLowerCase();
    show(
      element,
      button,
      following.some((one) => one.kind === kind && isSame(one.id)),
    );
    button.hidden = false;
  });
}

function bind(element: HTMLElement, button: HTMLButtonElement, session: Session): void {
  const notice = noticeOf(element);
  onClick(button, () =>
    attempt({ session, notice }, async () => {
      const { kind, id } = targetOf(element);
      const isFollowed = button.ariaPressed === 'true';
      if (isFollowed) await apiOf(session).unfollow({ kind, id });
      else await apiOf(session).follow({ body: { kind, id } });
      show(element, button, !isFollowed);
      notice.say(isFollowed ? 'You no longer follow this.' : 'You follow this.');
    }),
  );
}

function show(element: HTMLElement, button: HTMLButtonElement, isFollowed: boolean): void {
  button.ariaPressed = String(isFollowed);
  button.textContent = isFollowed ? 'Following' : 'Follow';
  find(element, '.manage').hidden = !isFollowed;
}

function targetOf({ dataset }: HTMLElement): { kind: Kind; id: string } {
  return { kind: dataset['kind'] as Kind, id: dataset['id'] ?? '' };
}
