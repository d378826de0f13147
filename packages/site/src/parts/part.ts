import { html, type Html } from '../html.ts';

/** A part of a page whose data may be unavailable: the rest of the page renders. */
export function part<Data>(data: Data | undefined, render: (data: Data) => Html): Html {
  return data === undefined ? UNAVAILABLE : render(data);
}

export const UNAVAILABLE = html`<p class="empty unavailable">This part is unavailable at the moment.</p>`;

export function empty(text: string | Html): Html {
  return html`<p class="empty">${text}</p>`;
}

/** A section with a heading, and links or chips in its row. @param id unique in the page, for links to it */
export function section(id: string, heading: string | Html, content: Html, aside?: Html | string): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading">
    <div class="head">
      <h2 id="${id}-heading">${heading}</h2>
      ${aside && html`<div class="beside">${aside}</div>`}
    </div>
    ${content}
  </section>`;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly aside?: Html | string | undefined;
  /** Where the whole tile leads. */
  readonly href?: string;
}

/** The page's most important numbers. */
export function figures(all: readonly Figure[]): Html {
  return html`<dl class="figures">
    ${all.map(
      ({ name, value, aside, href }) =>
        html`<div>
          <dt>${href === undefined ? name : html`<a href="${href}">${name}</a>`}</dt>
          <dd class="value">${value}</dd>
          ${aside && html`<dd class="aside">${aside}</dd>`}
        </div>`,
    )}
  </dl>`;
}
