import type { PublicEvent } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { list } from '../../parts/list.ts';
import { name, plural } from '../../parts/text.ts';
import { dateLeaf, entryText, eventGame, eventTime, prizeText, registrationState } from './event-texts.ts';

export interface EventList {
  readonly events: readonly PublicEvent[];
  readonly isOver: boolean;
  /** Shown in place of an empty list. */
  readonly none: string;
}

export function eventList({ events, isOver, none }: EventList, data: PageData): Html {
  return list({
    id: 'event',
    rows: events,
    key: ({ id }) => id,
    empty: none,
    className: 'list events',
    item: (event) => item(event, isOver, data),
  });
}

function item(event: PublicEvent, isOver: boolean, data: PageData): Html {
  const { id, title, item_kind } = event;
  const prize = prizeText(event);
  const facts = [
    eventGame(event, data),
    plural(event.signup_count, 'sign-up'),
    `entry: ${entryText(event)}`,
    prize !== undefined && html`prize: ${prize}`,
    !isOver && registrationState(event, data.now),
  ].filter((fact) => fact !== undefined && fact !== false);
  return html`${dateLeaf(event)}
    <div>
      <h3><a href="${links.event(id)}">${name(title)}</a> <span class="tag">${item_kind}</span></h3>
      <ul class="inline hint">
        ${facts.map((fact) => html`<li>${fact}</li>`)}
      </ul>
    </div>
    ${eventTime(event, isOver)}`;
}
