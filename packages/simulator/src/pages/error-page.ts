import { escapeHtml } from './html.ts';
import { layout } from './layout.ts';
import { htmlPage } from './page.ts';
import type { Page } from './page.ts';

export function errorPage(status: number, message: string): Page {
  return htmlPage(status, layout(`${status}`, `<h1>${status}</h1>\n<p>${escapeHtml(message)}</p>`));
}
