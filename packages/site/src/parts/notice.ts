import { html } from '../html.ts';

/** Room for the results of actions of its parent: a failure interrupts a screen reader, a success does not. */
export const NOTICE = html`<div class="notice">
  <p class="trouble" role="alert"></p>
  <p class="hint" role="status"></p>
</div>`;
