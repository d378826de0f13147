import type { BodyOf } from '@lobbystats/client';
import { seeNotifications } from './account-notices.ts';
import { fill, fillTime, find, itemOf } from './form.ts';
import type { Session } from './island.ts';

type Notification = BodyOf<'listNotifications'>['notifications'][number];

/** Fills the list of notifications of a section. */
export function showNotifications(section: HTMLElement, session: Session, all: readonly Notification[]): void {
  seeNotifications(all);
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
