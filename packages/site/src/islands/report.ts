import { apiOf, attempt } from './api.ts';
import { keepDraft, takeDraft } from './drafts.ts';
import { find, noticeOf, onSubmit } from './form.ts';
import type { Session } from './island.ts';

/** On the reader's own profile, a form with which they report the comment to the operators. */
export function showReport(element: HTMLElement, session: Session): void {
  const rate = find(session.main, '[data-island="rate"]');
  const isOwn = session.auth.getUsername()?.toLowerCase() === rate.dataset['username']?.toLowerCase();
  if (!isOwn) {
    const typed = element.querySelector('textarea')?.value ?? '';
    if (typed !== '') keepDraft(draftOf(element), rate.dataset['username'] ?? '', typed);
    element.replaceChildren();
  } else if (element.firstElementChild === null) addForm(element, find<HTMLTemplateElement>(rate, 'template'), session);
}

function draftOf({ id }: HTMLElement): string {
  return `${location.pathname} ${id}`;
}

function addForm(element: HTMLElement, { content }: HTMLTemplateElement, session: Session): void {
  element.append(content.cloneNode(true));
  const details = find<HTMLDetailsElement>(element, 'details');
  const form = find<HTMLFormElement>(details, 'form');
  // The template's ids would be repeated.
  for (const part of details.querySelectorAll('[id]')) part.id = `${element.id}-${part.id}`;
  for (const label of details.querySelectorAll('label')) label.htmlFor = `${element.id}-${label.htmlFor}`;
  const reason = find<HTMLTextAreaElement>(form, 'textarea');
  reason.setAttribute('aria-describedby', `${element.id}-reason-hint ${element.id}-reason-error`);
  const draft = takeDraft<string>(draftOf(element), session.auth.getUsername() ?? '');
  if (draft !== undefined) {
    reason.value = draft;
    details.open = true;
  }
  const notice = noticeOf(details);
  onSubmit(form, () =>
    attempt({ session, notice, form }, async () => {
      const body = { raterUsername: element.dataset['rater'] ?? '', reason: reason.value };
      await apiOf(session).reportComment({ body });
      form.hidden = true;
      notice.show('The operators have your report.');
    }),
  );
}
