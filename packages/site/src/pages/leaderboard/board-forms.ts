import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { choices } from '../../parts/choices.ts';
import { nameInput } from '../../parts/name-input.ts';

/** How far back ranks are compared. */
export const movementPeriods = ['1d', '7d'] as const;
export type MovementPeriod = (typeof movementPeriods)[number];

export interface BoardState {
  /** A UTC day. */
  readonly at?: string | undefined;
  readonly around?: string | undefined;
  readonly since?: MovementPeriod | undefined;
}

export interface BoardForms {
  readonly key: { readonly titleId: string; readonly leaderboardId: number };
  readonly state: BoardState;
  /** The newest day that can be chosen. */
  readonly today: string;
}

const PERIOD_TEXTS = {
  none: 'Ranks only',
  '1d': 'Ranks and moves of 1 day',
  '7d': 'Ranks and moves of 7 days',
} as const;

/** Chooses the day, the player and the period of movements. */
export function boardForms({ key: { titleId, leaderboardId }, state, today }: BoardForms): Html {
  const { at, around, since } = state;
  const path = links.leaderboard(titleId, leaderboardId);
  const periods = choices(
    'Movement of ranks',
    (['none', ...movementPeriods] as const).map((period) => ({
      text: PERIOD_TEXTS[period],
      href: links.leaderboard(titleId, leaderboardId, { at, around, since: period === 'none' ? undefined : period }),
      isCurrent: period === (since ?? 'none'),
    })),
  );
  return html`<form class="filters" action="${path}">
      <label>As of the end of (UTC) <input type="date" name="at" value="${at ?? ''}" max="${today}" /></label>
      <label>Around player ${nameInput({ id: 'around', name: 'around', type: 'player', value: around })} </label>
      ${since !== undefined && html`<input type="hidden" name="since" value="${since}" />`}
      <button>Show</button>
      <a href="${path}" data-around-me hidden>Around me</a>
      ${(at !== undefined || around !== undefined) && html`<a href="${links.leaderboard(titleId, leaderboardId, { since })}">Whole board, now</a>`}
    </form>
    ${periods}`;
}
