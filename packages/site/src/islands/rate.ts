import type { BodyOf } from '@lobbystats/client';
import { apiOf, attempt, isErased } from './api.ts';
import { DRAFT_NOTICE, keepDraft, takeDraft } from './drafts.ts';
import { clearFieldErrors, find, noticeOf, onClick, onSubmit } from './form.ts';
import type { Session } from './island.ts';
import { announceWrite, onOtherWrite } from './writes.ts';

type OwnRating = BodyOf<'getReputation'>['viewer'];

interface Typed {
  readonly stars: string;
  readonly comment: string;
}

/** The user whose rating each element shows. */
const shownFor = new WeakMap<HTMLElement, string | null>();
/** The values of each form before the reader changed them. */
const shownValues = new WeakMap<HTMLFormElement, Typed>();

/** The reader's own rating of the profile, which they can give, change and remove. */
export async function showRating(element: HTMLElement, session: Session): Promise<void> {
  const user = session.auth.getUsername();
  const before = shownFor.get(element);
  if (before === user) return;
  if (before === undefined) bind(element, session);
  shownFor.set(element, user);
  const form = find<HTMLFormElement>(element, 'form');
  const username = ratedBy(element);
  const isOwn = user?.toLowerCase() === username.toLowerCase();
  if (typeof before === 'string' && isEdited(form)) keepDraft(draftOf(username), before, typedIn(form));
  find(element, '.signed-out').hidden = user !== null;
  find(element, '.own').hidden = !isOwn;
  find(element, '.erased').hidden = true;
  form.hidden = true;
  showOwn(form, null);
  if (user === null || isOwn) return;
  await attempt({ session, notice: noticeOf(element) }, async () => {
    const { viewer } = await apiOf(session).getReputation({ username, feedbackLimit: 1 });
    const isErasedUser = viewer === null && (await isErased(session));
    // The session may have changed meanwhile.
    if (session.auth.getUsername() !== user) return;
    showOwn(form, viewer);
    form.hidden = isErasedUser;
    find(element, '.erased').hidden = !isErasedUser;
    const draft = isErasedUser ? undefined : takeDraft<Typed>(draftOf(username), user);
    if (draft === undefined) return;
    fill(form, draft);
    noticeOf(element).show(DRAFT_NOTICE);
  });
}

function bind(element: HTMLElement, session: Session): void {
  const form = find<HTMLFormElement>(element, 'form');
  const username = ratedBy(element);
  const notice = noticeOf(element);
  const api = apiOf(session);
  onSubmit(form, () =>
    attempt({ session, notice, form }, async () => {
      const { stars, comment } = typedIn(form);
      const { viewer } = await api.rateProfile({ username, body: { stars: Number(stars), comment } });
      showOwn(form, viewer);
      notice.show('Your rating is stored.');
      announceWrite(session.main);
    }),
  );
  onClick(find(form, '.remove'), () =>
    attempt({ session, notice, form }, async () => {
      await api.removeRating({ username });
      showOwn(form, null);
      find(form, 'input').focus();
      notice.show('Your rating is removed.');
      announceWrite(session.main);
    }),
  );
  onOtherWrite(() => {
    if (isEdited(form)) return;
    shownFor.set(element, null);
    void showRating(element, session);
  });
}

function ratedBy(element: HTMLElement): string {
  return element.dataset['username'] ?? '';
}

function draftOf(username: string): string {
  return `rating of ${username}`;
}

function showOwn(form: HTMLFormElement, own: OwnRating): void {
  clearFieldErrors(form);
  form.reset();
  find(form, '.given').textContent = own === null ? '' : `You have given ${own.stars} of 5 stars.`;
  find(form, '.remove').hidden = own === null;
  find(form, 'button').textContent = own === null ? 'Rate' : 'Change my rating';
  if (own !== null) fill(form, { stars: String(own.stars), comment: own.comment ?? '' });
  shownValues.set(form, typedIn(form));
}

function fill(form: HTMLFormElement, { stars, comment }: Typed): void {
  for (const choice of form.querySelectorAll<HTMLInputElement>('input[name="stars"]'))
    choice.checked = choice.value === stars;
  find<HTMLTextAreaElement>(form, 'textarea').value = comment;
}

function typedIn(form: HTMLFormElement): Typed {
  const given = new FormData(form);
  return { stars: textOf(given, 'stars'), comment: textOf(given, 'comment') };
}

function isEdited(form: HTMLFormElement): boolean {
  return JSON.stringify(typedIn(form)) !== JSON.stringify(shownValues.get(form));
}

function textOf(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === 'string' ? value : '';
}
