import { UnparseablePageError } from '../../network/page-failures.ts';
import type { HtmlSource } from '../descriptions/source-description.ts';

/** Where a member of a description is: the source and the members around it. */
export type Path = readonly [HtmlSource, ...string[]];

const MAX_LENGTH = 160;

/**
 * Refuses a page.
 *
 * @param found what was found, as the end of "The page could not be understood: "
 * @param lines of NETWORK_SOURCES_FILE that would read it
 */
export function refuse(found: string, ...lines: readonly string[]): never {
  const remedy = lines.length === 0 ? '' : `. Line for NETWORK_SOURCES_FILE if that is right: ${lines.join(' or ')}`;
  throw new UnparseablePageError(found + remedy, { lines });
}

/** The line of a description that sets a member of a source's page. */
export function lineOf([source, ...members]: Path, value: unknown): string {
  let line = JSON.stringify(value);
  for (const name of ['page', ...members].reverse()) line = `{ "${name}": ${line} }`;
  return `"${source}": ${line}`;
}

export function quote(texts: readonly string[]): string {
  const shown = texts
    .slice(0, 12)
    .map((text) => `"${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}"`);
  return shown.join(', ') + (texts.length > shown.length ? ', …' : '');
}
