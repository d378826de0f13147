import { html, type Html } from '../../html.ts';

/** A bar in a cell of a table; its number stands beside it. @param share 0 to 1 */
export function bar(share: number): Html {
  const width = Math.max(0.5, Math.min(1, share) * 100).toFixed(1);
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${width}" height="10" />
  </svg>`;
}
