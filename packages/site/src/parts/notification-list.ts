import { html, type Html } from '../html.ts';

/** The reader's notifications: the script fills them in. */
export const NOTIFICATION_LIST: Html = html`<ul class="list" id="notification-list"></ul>
  <p class="empty" id="notification-empty" hidden>Nothing has happened in the last 7 days</p>
  <template id="notification-template">
    <li>
      <a data-slot="title"></a> <time class="hint" data-slot="at" data-time="relative"></time>
      <p data-slot="text" dir="auto"></p>
    </li>
  </template>`;
