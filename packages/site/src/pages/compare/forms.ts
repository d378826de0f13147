import { COMPARED_GAMES_MAX } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { didYouMean } from '../../parts/meant-game.ts';
import { nameInput } from '../../parts/name-input.ts';
import { name } from '../../parts/text.ts';
import { COMPARED_PLAYERS, type Chosen, type Comparison } from './comparison.ts';

/** Adds a game. */
export function gameForm({ titleIds, players, range, tab }: Comparison): Html | '' {
  if (titleIds.length >= COMPARED_GAMES_MAX) return '';
  return html`<form class="filters" action="${links.compare()}" aria-label="Add a game">
    ${hidden('games', titleIds)}
    <label>
      ${titleIds.length === 0 ? 'Game' : 'Another game'}, by name or title ID
      ${nameInput({ id: 'add-game', name: 'games', type: 'game', isRequired: true })}
    </label>
    ${hidden('players', players)}${hidden('range', [range])}${hidden('tab', [tab])}
    <button>Add</button>
  </form>`;
}

/** Chooses two players. */
export function playerForm({ titleIds, players, range, tab }: Comparison): Html {
  const field = (index: number, label: string) =>
    html`<label>
      ${label}
      ${nameInput({ id: `player-${index + 1}`, name: 'players', type: 'player', value: players[index], isRequired: true })}
    </label>`;
  return html`<form class="filters" action="${links.compare()}" aria-label="Choose two players">
    ${field(0, 'Player')} ${field(1, 'Other player')}
    ${hidden('games', titleIds)}${hidden('range', [range])}${hidden('tab', [tab])}
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

/** Says which names can not be compared. @param href the comparison with one name in the place of an unknown one */
export function messages(
  noun: keyof typeof MESSAGES,
  { unknown, leftOut }: Pick<Chosen, 'unknown' | 'leftOut'>,
  href: (unknown: string, key: string) => string,
  nameOf: (left: string) => string = (left) => left,
): Html | '' {
  const { unknown: isUnknown, most } = MESSAGES[noun];
  const shown = [
    ...unknown.map(({ text, candidates }) => {
      const links = candidates.map(({ key, name: meant }) => ({ name: meant, href: href(text, key) }));
      return html`<li>${isUnknown} “${name(text)}”. ${didYouMean(links)}</li>`;
    }),
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
