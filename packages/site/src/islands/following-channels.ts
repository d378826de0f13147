import type { BodyOf } from '@lobbystats/client';
import { apiOf, attempt, type Attempt } from './api.ts';
import { fill, fillTime, find, itemOf, noticeOf, onClick, onSubmit } from './form.ts';
import type { Session } from './island.ts';
import { addOwnChannel, canPush, channelName, subscribe } from './web-push.ts';

type Channel = BodyOf<'listChannels'>['channels'][number];
/** The names of kinds that people know. */
type Labels = Readonly<Record<string, string>>;

const STATES = {
  unconfirmed: 'waits for its first answer',
  active: 'on',
  off: 'off: a test message tries it again',
  stopped: 'stopped by the operators',
} as const;

let isBound = false;

/** Where the reader's notifications go. */
export async function showChannels(section: HTMLElement, session: Session): Promise<void> {
  const { channels, pushKey } = await apiOf(session).listChannels();
  const asked: Attempt = { session, notice: noticeOf(section) };
  find(section, '#channel-empty').hidden = channels.length > 0;
  find(section, '#channel-list').replaceChildren(...channels.map((one) => channelRow(section, asked, one)));
  const push = find(section, '#push');
  push.hidden = !canPush();
  const feed = find(section, '#feed');
  feed.hidden = channels.some(({ kind }) => kind === 'feed');
  if (isBound) return;
  isBound = true;
  for (const form of section.querySelectorAll<HTMLFormElement>('.channel-form')) bindForm(section, form, session);
  onClick(feed, () => attempt(asked, () => makeFeed(section, session, 'Feed')));
  onClick(push, () =>
    attempt(asked, async () => {
      const subscription = await subscribe(pushKey);
      const name = channelName((await apiOf(session).listChannels()).channels);
      await addOwnChannel(session, name, subscription);
      await showChannels(section, session);
      asked.notice.show('This browser gets notifications, also while no page is open.');
    }),
  );
}

/** Adds a feed, or makes new addresses of the one of this name. */
async function makeFeed(section: HTMLElement, session: Session, name: string): Promise<void> {
  const { feedUrl, calendarUrl } = await apiOf(session).addChannel({ body: { kind: 'feed', name } });
  await showChannels(section, session);
  const shown = find(section, '#feed-addresses');
  for (const [slot, url] of [
    ['notifications', feedUrl ?? ''],
    ['events', calendarUrl ?? ''],
  ] as const) {
    const link = find<HTMLAnchorElement>(shown, `[data-slot="${slot}"]`);
    link.href = url;
    link.textContent = url;
  }
  shown.hidden = false;
  noticeOf(section).show('The addresses of the Atom feed and of the calendar are below.');
}

function bindForm(section: HTMLElement, form: HTMLFormElement, session: Session): void {
  const notice = noticeOf(form);
  const kind = form.dataset['kind'] as Channel['kind'];
  onSubmit(form, () =>
    attempt({ session, notice, form }, async () => {
      const fields = [...form.querySelectorAll('input')].map(({ name, value }) => [name, value.trim()]);
      const typed = Object.fromEntries(fields) as { name: string };
      const { secret } = await apiOf(session).addChannel({ body: { kind, ...typed } });
      form.reset();
      await showChannels(section, session);
      notice.show(secret === null ? 'It is added.' : `It is added. Its secret, which is shown once: ${secret}`);
    }),
  );
}

function channelRow(section: HTMLElement, asked: Attempt, channel: Channel): HTMLElement {
  const row = itemOf(section, '#channel-template');
  const { name, kind } = channel;
  const api = apiOf(asked.session);
  const labels = JSON.parse(find(section, '#channel-list').dataset['labels'] ?? '{}') as Labels;
  showState(row, labels, channel);
  find(row, '.renew').hidden = kind !== 'feed';
  for (const selector of ['.test', '.log']) find(row, selector).hidden = kind === 'feed';
  for (const button of row.querySelectorAll('button')) {
    button.setAttribute('aria-label', `${button.textContent}: ${name}`);
  }
  onClick(find(row, '.test'), () =>
    attempt(asked, async () => {
      showState(row, labels, await api.testChannel({ channel: name }));
      asked.notice.show(`A message is sent to ${name}.`);
    }),
  );
  onClick(find(row, '.renew'), () => attempt(asked, () => makeFeed(section, asked.session, name)));
  onClick(find(row, '.log'), () =>
    attempt(asked, async () => {
      const { deliveries } = await api.listDeliveries({ channel: name });
      const list = find(row, '.deliveries');
      list.replaceChildren(...deliveries.map((one) => deliveryItem(one, asked.session)));
      list.hidden = false;
      asked.notice.show(deliveries.length === 0 ? `Nothing has been sent to ${name}.` : '');
    }),
  );
  onClick(find(row, '.remove'), () =>
    attempt(asked, async () => {
      await api.removeChannel({ channel: name });
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      if (kind === 'feed') {
        find(section, '#feed-addresses').hidden = true;
        find(section, '#feed').hidden = false;
      }
      find(section, '#channel-empty').hidden = find(section, '#channel-list').childElementCount > 0;
      (next ?? find(section, '.channel-form')).querySelector<HTMLElement>('.remove, input')?.focus();
      asked.notice.show(`${name} is removed.`);
    }),
  );
  return row;
}

function showState(row: HTMLElement, labels: Labels, { name, kind, state, problem }: Channel): void {
  fill(row, { name, kind: labels[kind] ?? kind, state: STATES[state], problem: problem ?? '' });
}

type Delivery = BodyOf<'listDeliveries'>['deliveries'][number];

function deliveryItem({ type, dueAt, state, attempts, result }: Delivery, session: Session): HTMLElement {
  const [item, due] = [document.createElement('li'), document.createElement('time')] as const;
  Object.assign(due.dataset, { slot: 'due', time: 'exact' });
  const parts = [type, state, result, attempts > 1 ? `${attempts} attempts` : null];
  item.append(due, ...parts.filter((text) => text !== null).map((text) => ` · ${text}`));
  fillTime(item, 'due', dueAt, session);
  return item;
}
