import { html, raw, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { nameInput } from '../../parts/name-input.ts';
import type { InputFault } from './input-fault.ts';

export interface Field {
  /** The page's parameter. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string | undefined;
  /** `lines`: one value a line. `players`: names, separated by commas. */
  readonly kind?: 'text' | 'number' | 'lines' | 'players' | 'game';
}

/** A form of the search page: keeps its values, and shows what is wrong with one beside it. */
export function searchForm(by: string, fields: readonly Field[], fault: InputFault | undefined): Html {
  const isShownBeside = fields.some(({ name }) => name === fault?.field);
  return html`<form class="fields" action="${links.search()}">
    <input type="hidden" name="by" value="${by}" />
    ${fields.map((field) => fieldGroup(field, field.name === fault?.field ? fault.message : undefined))}
    ${fault !== undefined && !isShownBeside && html`<p class="trouble" role="alert">${fault.message}</p>`}
    <p><button class="main">Search</button></p>
  </form>`;
}

function fieldGroup({ name, label, hint, value = '', kind = 'text' }: Field, message: string | undefined): Html {
  const described = message === undefined ? `${name}-hint` : `${name}-fault ${name}-hint`;
  const state = html`aria-describedby="${described}"${message === undefined ? '' : raw(' aria-invalid="true"')}`;
  const control =
    kind === 'lines'
      ? html`<textarea id="${name}" name="${name}" rows="4" spellcheck="false" ${state}>${value}</textarea>`
      : kind === 'players'
        ? nameInput({ id: name, name, type: 'player', value, isList: true, attributes: state })
        : kind === 'game'
          ? nameInput({ id: name, name, type: 'game', value, attributes: state })
          : html`<input
              id="${name}"
              name="${name}"
              type="text"
              value="${value}"
              autocomplete="off"
              spellcheck="false"
              ${kind === 'number' ? raw('inputmode="numeric"') : ''}
              ${state}
            />`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control} ${message !== undefined && html`<p class="trouble" id="${name}-fault" role="alert">${message}</p>`}
    <p class="hint" id="${name}-hint">${hint}</p>
  </div>`;
}
