import { COMPARED_GAMES_MAX, operations, PLAYER_NAME_MAX } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { name } from '../../parts/text.ts';
import { COMPARED_PLAYERS, type Chosen, type Comparison } from './comparison.ts';

const { listGames } = operations;

/** Adds a game. Without the list of games, names can still be typed. */
export async function gameForm({ titleIds, players, range }: Comparison, data: PageData): Promise<Html | ''> {
  const list = await data.askPart(listGames);
  if (titleIds.length >= COMPARED_GAMES_MAX) return '';
  const compared = new Set(titleIds);
  const others = list?.games.filter(({ titleId }) => !compared.has(titleId)) ?? [];
  return html`<form class="filters" action="${links.compare()}" aria-label="Add a game">
    ${hidden('games', titleIds)}
    <label>
      ${titleIds.length === 0 ? 'Game' : 'Another game'}, by name or title ID
      <input name="games" type="text" list="all-games" required autocomplete="off" spellcheck="false" />
    </label>
    <datalist id="all-games">${others.map((game) => html`<option value="${game.name}"></option>`)}</datalist>
    ${hidden('players', players)}${hidden('range', [range])}
    <button>Add</button>
  </form>`;
}

/** Chooses two players. */
export function playerForm({ titleIds, players, range }: Comparison): Html {
  const field = (index: number, label: string) =>
    html`<label>
      ${label}
      <input
        name="players"
        type="text"
        value="${players[index] ?? ''}"
        maxlength="${PLAYER_NAME_MAX}"
        required
        autocomplete="off"
        spellcheck="false"
      />
    </label>`;
  return html`<form class="filters" action="${links.compare()}" aria-label="Choose two players">
    ${field(0, 'Player')} ${field(1, 'Other player')} ${hidden('games', titleIds)}${hidden('range', [range])}
    <button>Compare</button>
  </form>`;
}

function hidden(field: string, values: readonly string[]): Html | '' {
  return values.length > 0 ? html`<input type="hidden" name="${field}" value="${values.join(',')}" />` : '';
}

const MESSAGES = {
  game: { unknown: 'There is no game', most: `At most ${COMPARED_GAMES_MAX} games are compared` },
  player: { unknown: 'There is no player', most: `At most ${COMPARED_PLAYERS} players are compared` },
} as const;

/** Says which names can not be compared. @param nameOf of those that are left out */
export function messages(
  noun: keyof typeof MESSAGES,
  { unknown, leftOut }: Pick<Chosen, 'unknown' | 'leftOut'>,
  nameOf: (left: string) => string = (left) => left,
): Html | '' {
  const { unknown: isUnknown, most } = MESSAGES[noun];
  const shown = [
    unknown.length > 0 && html`<li>${isUnknown} ${quoted(unknown)}.</li>`,
    leftOut.length > 0 && html`<li>${most}. Left out: ${quoted(leftOut.map(nameOf))}.</li>`,
  ].filter((message) => message !== false);
  if (shown.length === 0) return '';
  return html`<ul class="note messages">
    ${shown}
  </ul>`;
}

function quoted(names: readonly string[]): Html {
  return html`${names.map((one, index) => html`${index > 0 && ', '}“${name(one)}”`)}`;
}
