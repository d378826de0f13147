import { html, type Html } from '../../html.ts';
import { list } from '../../parts/list.ts';
import { boardLink, gameLink, name, playerLink, plural, type Titles } from '../../parts/text.ts';
import { identityOf, type FoundName } from './found-names.ts';

/** Names with links, and what tells apart those that are equal. */
export function nameList(titles: Titles, names: readonly FoundName[]): Html {
  return list({
    id: 'name',
    rows: names,
    key: identityOf,
    empty: '',
    className: 'list names',
    item: (found) => item(titles, found),
  });
}

function item(titles: Titles, found: FoundName): Html {
  switch (found.type) {
    case 'player':
      return html`${playerLink(found.name)}<span class="hint">${playerFacts(found)}</span>`;
    case 'game':
      return html`${gameLink(titles, found.titleId, found.name)}
        <span class="hint"
          >game${found.publisher !== '' && html` of ${name(found.publisher)}`} · ${found.titleId}</span
        >`;
    case 'leaderboard':
      return html`${boardLink(titles, { ...found, leaderboardName: found.name })}
        <span class="hint"
          >${gameLink(titles, found.titleId, found.gameName)} · ${plural(found.entries, 'entry', 'entries')}</span
        >`;
  }
}

function playerFacts({ leaderboards, account }: Extract<FoundName, { type: 'player' }>): Html {
  return html`player${leaderboards !== undefined && ` on ${plural(leaderboards, 'leaderboard')}`}${
    account !== undefined && account !== null && html` · account ${name(account)}`
  }`;
}
