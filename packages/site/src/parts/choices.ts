import { html, raw, type Html } from '../html.ts';

export interface Choice {
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Links between forms of the same page, such as periods. The state is in the URL. @param label for screen readers */
export function choices(label: string, all: readonly Choice[]): Html {
  return html`<nav class="choices" aria-label="${label}">
    <ul>
      ${all.map(
        ({ text, href, isCurrent }) =>
          html`<li><a href="${href}" ${isCurrent ? raw(' aria-current="true"') : ''}>${text}</a></li>`,
      )}
    </ul>
  </nav>`;
}
