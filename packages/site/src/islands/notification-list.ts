import type { BodyOf } from '@lobbystats/client';
import { fill, fillTime, find, itemOf } from './form.ts';
import type { Session } from './island.ts';

type Notification = BodyOf<'listNotifications'>['notifications'][number];

async function see(all: readonly Notification[]): Promise<void> {
  const { seeNotifications } = await import('./account-notices.ts');
  seeNotifications(all);
}

/** Fills the list of notifications of a section. */
export function showNotifications(section: HTMLElement, session: Session, all: readonly Notification[]): void {
  void see(all).catch(reportError);
  find(section, '#notification-empty').hidden = all.length > 0;
  find(section, '#notification-list').replaceChildren(
    ...all.map(({ title, text, at, url }) => {
      const row = itemOf(section, '#notification-template');
      fill(row, { title, text });
      fillTime(row, 'at', at, session);
      find<HTMLAnchorElement>(row, 'a').href = new URL(url).pathname;
      return row;
    }),
  );
}
