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
  none: 'Ranks',
  '1d': 'Moves of 1 day',
  '7d': 'Moves of 7 days',
} as const;

/** Chooses the period of movements. */
export function movementChoices({ key: { titleId, leaderboardId }, state: { at, around, since } }: BoardForms): Html {
  return choices(
    'Movement of ranks',
    (['none', ...movementPeriods] as const).map((period) => ({
      text: PERIOD_TEXTS[period],
      href: links.leaderboard(titleId, leaderboardId, { at, around, since: period === 'none' ? undefined : period }),
      isCurrent: period === (since ?? 'none'),
    })),
  );
}

/** Chooses the day and the player, in one row. */
export function boardForm({ key: { titleId, leaderboardId }, state, today }: BoardForms): Html {
  const { at, around, since } = state;
  const path = links.leaderboard(titleId, leaderboardId);
  return html`<form class="filters compact" action="${path}">
    <label>Around player ${nameInput({ id: 'around', name: 'around', type: 'player', value: around })}</label>
    <label>At the end of (UTC) <input type="date" name="at" value="${at ?? ''}" max="${today}" /></label>
    ${since !== undefined && html`<input type="hidden" name="since" value="${since}" />`}
    <button>Show</button>
    <a href="${path}" data-around-me hidden>Around me</a>
    ${(at !== undefined || around !== undefined) && html`<a href="${links.leaderboard(titleId, leaderboardId, { since })}">Whole board, now</a>`}
  </form>`;
}
