import { hashText } from '../world/hash.ts';
import type { Title } from '../world/title.ts';
import { escapeHtml } from './html.ts';
import type { Page } from './page.ts';

const ONE_DAY_SECONDS = 86_400;

export function icon(title: Title): Page {
  const hue = hashText(title.titleId) % 360;
  const [initial = '?'] = title.name;
  const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">
<rect width="96" height="96" rx="16" fill="hsl(${hue} 55% 35%)"/>
<circle cx="76" cy="20" r="34" fill="hsl(${(hue + 40) % 360} 60% 55%)" opacity=".45"/>
<text x="48" y="66" font-family="sans-serif" font-size="52" text-anchor="middle" fill="#fff">${escapeHtml(initial)}</text>
</svg>
`;
  return { status: 200, contentType: 'image/svg+xml', body, maxAgeSeconds: ONE_DAY_SECONDS };
}
