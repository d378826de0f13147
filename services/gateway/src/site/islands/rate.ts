import type { BodyOf } from '@lobbystats/client';
import { apiOf, attempt } from './api.ts';
import { clearFieldErrors, find, noticeOf, onClick, onSubmit } from './form.ts';
import type { Session } from './island.ts';

type OwnRating = BodyOf<'getReputation'>['viewer'];

/** The user whose rating each element shows. */
const shownFor = new WeakMap<HTMLElement, string | null>();

/** The reader's own rating of the profile, which they can give, change and remove. */
export async function showRating(element: HTMLElement, session: Session): Promise<void> {
  const user = session.auth.getUsername();
  if (shownFor.get(element) === user) return;
  if (!shownFor.has(element)) bind(element, session);
  shownFor.set(element, user);
  const form = find<HTMLFormElement>(element, 'form');
  const isOwn = user?.toLowerCase() === ratedBy(element).toLowerCase();
  find(element, '.signed-out').hidden = user !== null;
  find(element, '.own').hidden = !isOwn;
  form.hidden = true;
  showOwn(form, null);
  if (user === null || isOwn) return;
  await attempt({ session, notice: noticeOf(element) }, async () => {
    const { viewer } = await apiOf(session).getReputation({ username: ratedBy(element), feedbackLimit: 1 });
    // The session may have changed meanwhile.
    if (session.auth.getUsername() !== user) return;
    showOwn(form, viewer);
    form.hidden = false;
  });
}

function bind(element: HTMLElement, session: Session): void {
  const form = find<HTMLFormElement>(element, 'form');
  const username = ratedBy(element);
  const notice = noticeOf(element);
  const api = apiOf(session);
  onSubmit(form, () =>
    attempt({ session, notice, form }, async () => {
      const given = new FormData(form);
      const body = { stars: Number(given.get('stars')), comment: textOf(given, 'comment') };
      const { viewer } = await api.rateProfile({ username, body });
      showOwn(form, viewer);
      notice.say('Your rating is stored.');
      requestUpdate(session);
    }),
  );
  onClick(find(form, '.remove'), () =>
    attempt({ session, notice, form }, async () => {
      await api.removeRating({ username });
      showOwn(form, null);
      find(form, 'input').focus();
      notice.say('Your rating is removed.');
      requestUpdate(session);
    }),
  );
}

function ratedBy(element: HTMLElement): string {
  return element.dataset['username'] ?? '';
}

/** The list of ratings is part of the page. */
function requestUpdate({ main }: Session): void {
  main.dispatchEvent(new Event('outdated'));
}

function showOwn(form: HTMLFormElement, own: OwnRating): void {
  clearFieldErrors(form);
  form.reset();
  find(form, '.given').textContent = own === null ? '' : `You have given ${own.stars} of 5 stars.`;
  find(form, '.remove').hidden = own === null;
  find(form, 'button').textContent = own === null ? 'Rate' : 'Change my rating';
  if (own === null) return;
  const choice = form.querySelector<HTMLInputElement>(`input[value="${own.stars}"]`);
  if (choice !== null) choice.checked = true;
  find<HTMLTextAreaElement>(form, 'textarea').value = own.comment ?? '';
}

function textOf(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === 'string' ? value : '';
}
