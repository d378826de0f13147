import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { list } from '../../parts/list.ts';
import { gameLink, name, playerLink, plural } from '../../parts/text.ts';
import { identityOf, type FoundName } from './found-names.ts';

/** Names with links, and what tells apart those that are equal. */
export function nameList(names: readonly FoundName[]): Html {
  return list({
    id: 'name',
    rows: names,
    key: identityOf,
    empty: '',
    className: 'list names',
    item,
  });
}

function item(found: FoundName): Html {
  switch (found.type) {
    case 'player':
      return html`${playerLink(found.name)}<span class="hint">${playerFacts(found)}</span>`;
    case 'game':
      return html`${gameLink(found.titleId, found.name)}
        <span class="hint"
          >game${found.publisher !== '' && html` of ${name(found.publisher)}`} · ${found.titleId}</span
        >`;
    case 'leaderboard':
      return html`<a href="${links.leaderboard(found.titleId, found.leaderboardId)}">${name(found.name)}</a>
        <span class="hint"
          >${gameLink(found.titleId, found.gameName)} · ${plural(found.entries, 'entry', 'entries')}</span
        >`;
  }
}

function playerFacts({ leaderboards, account }: Extract<FoundName, { type: 'player' }>): Html {
  return html`player${leaderboards !== undefined && ` on ${plural(leaderboards, 'leaderboard')}`}${
    account !== undefined && account !== null && html` · account ${name(account)}`
  }`;
}
