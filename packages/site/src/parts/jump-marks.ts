import { html, type Html } from '../html.ts';

/** Links to the sections of a long page. */
export function jumpMarks(sections: readonly (readonly [id: string, text: string])[]): Html {
  return html`<nav class="jump" aria-label="On this page">
    <ul>
      ${sections.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)}
    </ul>
  </nav>`;
}
