import { plainText, type GameMetadata } from '@lobbystats/contracts';
import { imagePaths } from '../../image-paths.ts';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { widgetFrame } from './widget.ts';

/** Tells readers of the page's URL where its widget is. */
export function oembedLinks(titleId: string, { siteUrl }: PageData): Html {
  const url = siteUrl + links.game(titleId);
  return html`${(['json', 'xml'] as const).map(
    (format) =>
      html`<link
        rel="alternate"
        type="${format === 'json' ? 'application/json+oembed' : 'text/xml+oembed'}"
        href="${siteUrl}${links.oembed({ url, format })}"
        title="Widget"
      /> `,
  )}`;
}

/** How other sites show the game: a badge, a widget, and the address for oEmbed. */
export function embeds({ titleId }: GameMetadata, gameName: string, { siteUrl }: PageData): Html {
  const page = siteUrl + links.game(titleId);
  const badge = apiPath(imagePaths.badge, { game: titleId });
  const picture = siteUrl + apiPath(imagePaths.badgePicture, { game: titleId });
  return html`<details class="card" id="embeds">
    <summary>Show this game on another site</summary>
    <dl>
      <dt>
        Badge <img src="${badge}" alt="${plainText`Badge: ${gameName}, users online`}" height="20" loading="lazy" />
      </dt>
      <dd>${code('Markdown', `[![users online](${siteUrl}${badge})](${page})`)}</dd>
      <dd class="hint">As a picture where SVG is not shown: <a href="${picture}">PNG</a></dd>
      <dt>Widget</dt>
      <dd>${code('HTML', widgetFrame(siteUrl + links.widget(titleId), gameName))}</dd>
      <dd class="hint">
        <a href="${links.widget(titleId)}">See it</a>. It shows the colors of the reader’s system;
        <code>?theme=light</code> or <code>?theme=dark</code> chooses.
      </dd>
      <dt>oEmbed</dt>
      <dd>${code('Address', page)}</dd>
      <dd class="hint">Paste this address into an editor that shows previews of links: it becomes the widget.</dd>
    </dl>
  </details>`;
}

function code(label: string, text: string): Html {
  return html`<pre role="group" aria-label="${label}" tabindex="0"><code>${text}</code></pre>
    <button type="button" class="js" data-copy aria-label="Copy: ${label}">Copy</button>`;
}
