import { operations } from '@lobbystats/contracts';
import { html, raw, type Html } from '../html.ts';
import { links } from '../links.ts';

const { suggestNames } = operations;

const LABEL = 'Search players, games and leaderboards';
const TEXT_MAX = Number(suggestNames.query.shape.q.meta()?.['maxLength']);

/** Shown in place of the word where there is little room. */
const LENS = html`<svg class="lens" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
  <circle cx="10" cy="10" r="6.5" />
  <path d="m15 15 6 6" />
</svg>`;

export interface FindForm {
  /** ID of the field, unique in the page. */
  readonly id: string;
  readonly value?: string;
  readonly isLabelHidden?: boolean;
  /** The key that goes to the field. */
  readonly key?: string;
}

/** One field for the names of everything. With JavaScript it suggests names while one types. */
export function findForm({ id, value = '', isLabelHidden = false, key }: FindForm): Html {
  return html`<form
    class="find"
    role="search"
    aria-label="${isLabelHidden ? 'Search the site' : LABEL}"
    action="${links.search()}"
    data-suggest="${suggestNames.path}"
  >
    <label for="${id}" ${isLabelHidden ? raw(' class="hidden"') : ''}>${LABEL}</label>
    <span class="field"
      ><input
        id="${id}"
        name="q"
        type="search"
        value="${value}"
        placeholder="Search"
        maxlength="${TEXT_MAX}"
        autocomplete="off"
        spellcheck="false"
        ${key !== undefined && html`aria-keyshortcuts="${key} Control+K" title="Press ${key} or Ctrl+K to search"`}
    /></span>
    <button>${LENS}<span>Search</span></button>
  </form>`;
}
