import { Idiomorph } from 'idiomorph';

export type StaleReason = 'unavailable' | 'refreshing';

/**
 * Fetches the page and morphs its content: focus, open details and what scripts have drawn stay.
 *
 * @returns why the response is stale: an outage, or a newer one that is being composed; undefined for a current one
 */
export async function updatePage(main: HTMLElement): Promise<StaleReason | undefined> {
  const response = await fetch(location.href, { cache: 'no-cache', headers: { Accept: 'text/html' } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const fetched = new DOMParser().parseFromString(await response.text(), 'text/html');
  const content = fetched.querySelector('main');
  if (content === null) throw new Error('a page without content');
  document.title = fetched.title;
  await Idiomorph.morph(main, content, {
    ignoreActiveValue: true,
    callbacks: { beforeNodeMorphed: isMorphed, beforeAttributeUpdated: isUpdated },
  });
  const status = response.headers.get('Cache-Status') ?? '';
  return (['unavailable', 'refreshing'] as const).find((reason) => status.includes(`detail=${reason}`));
}

/** Elements that a script has filled stay. */
function isMorphed(current: Node): boolean {
  return !(current instanceof Element && current.matches('[data-island], .canvas'));
}

/** Details that the reader has opened stay open. */
function isUpdated(attribute: string, current: Element): boolean {
  return !(attribute === 'open' && current instanceof HTMLDetailsElement);
}
