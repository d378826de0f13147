import { html, raw, type Html } from '../html.ts';

export interface Field {
  /** As the API names it: an error of the API names its field. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Default: one line of text. */
  readonly kind?: 'textarea' | 'checkbox' | 'email' | 'password' | 'time' | 'url';
  /** Shown below the control. */
  readonly extra?: Html;
  /** Default: `off`. */
  readonly autocomplete?: string;
  /** Unique in the page. Default: the name. */
  readonly id?: string;
}

/** A labelled field with its hint, and room for its error. A form with fields is submitted by script. */
export function field({ name, label, hint, kind, extra, autocomplete = 'off', id = name }: Field): Html {
  const described = html`aria-describedby="${hint === undefined ? '' : `${id}-hint `}${id}-error"`;
  const about = html`${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    <p class="trouble" id="${id}-error"></p>`;
  if (kind === 'checkbox') {
    return html`<div class="field" data-field="${name}">
      <label><input id="${id}" name="${name}" type="checkbox" ${described} /> ${label}</label>
      ${about}
    </div>`;
  }
  const rest = html`autocomplete="${autocomplete}"
  ${kind === undefined || kind === 'url' ? raw('spellcheck="false"') : ''} ${described}`;
  return html`<div class="field" data-field="${name}">
    <label for="${id}">${label}</label>
    ${
      kind === 'textarea'
        ? html`<textarea id="${id}" name="${name}" rows="4" ${rest}></textarea>`
        : html`<input id="${id}" name="${name}" type="${kind ?? 'text'}" ${rest} />`
    }
    ${extra} ${about}
  </div>`;
}
