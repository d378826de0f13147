import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
/** A page that Prometheus serves, so that alerts link to their runbook also while the site is down. */
export const RUNBOOKS_CONSOLE = join(ROOT, 'infra/prometheus/consoles/runbooks.html');

/** The text of the console: docs/runbooks.md with an anchor at each section. Prometheus reads it as a Go template. */
export function printedConsole(): string {
  const text = readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{{"{{"}}')
    .replace(/^## (.+)$/gm, (_line, title: string) => `<b id="${title.toLowerCase()}">${title}</b>`);
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8" /><title>Runbooks</title>\n<pre>\n${text}</pre></html>\n`;
}
