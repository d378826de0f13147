import { operations, PLAYER_NAME_MAX, type NameType } from '@lobbystats/contracts';
import { html, raw, type Html } from '../html.ts';
import { apiPath } from '../links.ts';

export interface NameInput {
  /** Unique in the page. */
  readonly id: string;
  /** The page's parameter. */
  readonly name: string;
  /** The kind of names that are suggested. */
  readonly type: NameType;
  readonly value?: string | undefined;
  /** Characters of one name. Default: those of a player’s. */
  readonly max?: number;
  /** Several names, separated by commas. */
  readonly isList?: boolean;
  readonly isRequired?: boolean;
  /** More attributes. */
  readonly attributes?: Html;
}

/** A field for names. With JavaScript it suggests them while one types. */
export function nameInput({
  id,
  name,
  type,
  value = '',
  max = PLAYER_NAME_MAX,
  isList,
  isRequired,
  attributes,
}: NameInput): Html {
  // Updates of the page leave what a script adds to the field.
  return html`<span class="combo" data-island
    ><input
      id="${id}"
      name="${name}"
      type="search"
      value="${value}"
      ${isList === true ? '' : html`maxlength="${max}"`}
      autocomplete="off"
      spellcheck="false"
      data-suggest="${apiPath(operations.suggestNames.path, {}, { type })}"
      ${isList === true ? raw('data-list') : ''}
      ${isRequired === true ? raw('required') : ''}
      ${attributes}
  /></span>`;
}
