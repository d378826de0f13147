import { apiOf, attempt } from './api.ts';
import { clearFieldErrors, fillTime, find, noticeOf, onClick, onSubmit, showFieldError } from './form.ts';
import type { Session } from './island.ts';
import type { OwnTab } from './own-tab.ts';
import { announceWrite } from './writes.ts';

/** Export and erasure of the reader's data. */
export function dataTab(element: HTMLElement, session: Session): OwnTab {
  const button = find(element, '#export');
  const notice = noticeOf(button.closest<HTMLElement>('.card') ?? element);
  onClick(button, () =>
    attempt({ session, notice }, async () => {
      const data = await apiOf(session).exportMe();
      download(`lobbystats-${data.user.username}.json`, JSON.stringify(data, null, 2));
      notice.show('Your data have been downloaded.');
    }),
  );
  bindErasure(element, session);
  return { show: async () => undefined };
}

function download(fileName: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Two steps: the API's confirmation, and the username in the user's own hand. */
function bindErasure(element: HTMLElement, session: Session): void {
  const api = apiOf(session);
  const card = find(element, '#erasure');
  const begin = find(card, '#erase');
  const form = find<HTMLFormElement>(card, '#erase-form');
  const typed = find<HTMLInputElement>(form, '#confirmation');
  const notice = noticeOf(card);
  let confirmation: string | undefined;
  const cancel = () => {
    confirmation = undefined;
    form.reset();
    clearFieldErrors(form);
    form.hidden = true;
    begin.hidden = false;
  };
  session.auth.on('logout', cancel);
  onClick(begin, () =>
    attempt({ session, notice }, async () => {
      const response = await api.eraseMe();
      confirmation = response.confirmation ?? undefined;
      fillTime(form, 'expires', response.expiresAt ?? '', session);
      form.hidden = false;
      begin.hidden = true;
      typed.focus();
    }),
  );
  onClick(find(form, '.cancel'), async () => {
    cancel();
    begin.focus();
    notice.show('Nothing has been erased.');
  });
  onSubmit(form, () =>
    attempt({ session, notice, form }, async () => {
      const username = session.auth.getUsername() ?? '';
      if (typed.value.trim().toLowerCase() !== username.toLowerCase()) {
        showFieldError(form, 'confirmation', 'This is not your username');
        return;
      }
      await api.eraseMe({ confirmation });
      announceWrite(session.main);
      find(element, 'h1').focus();
      await session.auth.logout();
      noticeOf(find(element, 'section')).show(
        'Your data have been erased, and you are signed out. Your name stays barred here until the operators allow it again.',
      );
    }),
  );
}
