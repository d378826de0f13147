import type { BodyOf } from '@lobbystats/client';
import { apiOf, attempt, isForbidden, type Attempt } from './api.ts';
import { showChannels } from './following-channels.ts';
import { find, itemOf, noticeOf, onClick, onSubmit } from './form.ts';
import { showFollowingInBrowser } from './following-in-browser.ts';
import type { Session } from './island.ts';
import { showNotifications } from './notification-list.ts';
import { nameOf, pathOf } from './target-page.ts';

type Followed = BodyOf<'listFollowing'>['following'][number];
type Rules = Followed['rules'];

let shownFor: string | null | undefined;

/** The page of followed things with their rules, quiet hours, notifications and channels. */
export async function showFollowing(element: HTMLElement, session: Session): Promise<void> {
  const user = session.auth.getUsername();
  if (shownFor === user) return;
  if (shownFor === undefined) bindQuietHours(element, session);
  shownFor = user;
  find(element, '.signed-out').hidden = user !== null;
  if (user === null) showFollowingInBrowser(find(element, '#in-browser'), session);
  const inUse = find(element, '.in-use');
  inUse.hidden = true;
  if (user === null) return;
  await attempt({ session, notice: noticeOf(find(element, 'section')) }, async () => {
    try {
      await apiOf(session).getMe();
    } catch (error) {
      if (isForbidden(error)) throw new Error('Your data have been erased.', { cause: error });
      throw error;
    }
    const [own, { notifications }] = await Promise.all([
      apiOf(session).listFollowing(),
      apiOf(session).listNotifications(),
    ]);
    if (session.auth.getUsername() !== user) return;
    showNotifications(find(element, '#notifications'), session, notifications);
    showFollowed(find(element, '#followed'), session, own.following);
    showQuietHours(find(element, '#quiet-form'), own.quietHours);
    await showChannels(find(element, '#channels'), session);
    inUse.hidden = false;
  });
}

function showFollowed(section: HTMLElement, session: Session, all: readonly Followed[]): void {
  find(section, '#followed-empty').hidden = all.length > 0;
  find(section, '#followed-list').replaceChildren(...all.map((one) => followedRow(section, session, one)));
}

function followedRow(section: HTMLElement, session: Session, { kind, id, rules }: Followed): HTMLElement {
  const row = itemOf(section, `#followed-${kind}`);
  const form = find<HTMLFormElement>(row, 'form');
  const notice = noticeOf(form);
  const link = find<HTMLAnchorElement>(row, 'a');
  link.textContent = id;
  link.href = pathOf({ kind, id });
  void nameOf(apiOf(session), { kind, id }).then((name) => {
    link.textContent = name;
  });
  for (const input of form.querySelectorAll('input')) {
    const value = rules[input.name as keyof Rules];
    if (input.type === 'checkbox') input.checked = value === true;
    else input.value = typeof value === 'number' ? String(value) : '';
  }
  onSubmit(form, () =>
    attempt({ session, notice }, async () => {
      await apiOf(session).follow({ body: { kind, id, rules: rulesOf(form) } });
      notice.show('The rules are saved.');
    }),
  );
  const asked: Attempt = { session, notice: noticeOf(section) };
  onClick(find(form, '.remove'), () =>
    attempt(asked, async () => {
      await apiOf(session).unfollow({ kind, id });
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      find(section, '#followed-empty').hidden = find(section, '#followed-list').childElementCount > 0;
      (next?.querySelector<HTMLElement>('.remove') ?? document.getElementById('heading'))?.focus();
      asked.notice.show(`You no longer follow ${link.textContent}.`);
    }),
  );
  return row;
}

/** An empty number switches a rule off. Anything else that is no number is left to the API to refuse. */
function rulesOf(form: HTMLFormElement): Rules {
  const values = [...form.querySelectorAll('input')].map((input) => {
    if (input.type === 'checkbox') return [input.name, input.checked];
    const value = Number(input.value);
    // JSON has no NaN: it would be null.
    return [input.name, input.value.trim() === '' ? null : Number.isFinite(value) ? value : input.value];
  });
  return Object.fromEntries(values) as Rules;
}

function bindQuietHours(element: HTMLElement, session: Session): void {
  const form = find<HTMLFormElement>(element, '#quiet-form');
  const notice = noticeOf(form);
  onSubmit(form, () =>
    attempt({ session, notice, form }, async () => {
      const [from, to, timeZone] = ['from', 'to', 'timeZone'].map((name) => inputOf(form, name).value.trim());
      const quietHours = from === '' && to === '' ? null : { from: from ?? '', to: to ?? '', timeZone: timeZone ?? '' };
      await apiOf(session).setQuietHours({ body: { quietHours } });
      notice.show(quietHours === null ? 'There are no quiet hours.' : 'The quiet hours are saved.');
    }),
  );
}

function showQuietHours(form: HTMLFormElement, quiet: BodyOf<'listFollowing'>['quietHours']): void {
  inputOf(form, 'from').value = quiet?.from ?? '';
  inputOf(form, 'to').value = quiet?.to ?? '';
  inputOf(form, 'timeZone').value = quiet?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return find<HTMLInputElement>(form, `[name="${name}"]`);
}
