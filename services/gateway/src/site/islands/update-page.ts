import { Idiomorph } from 'idiomorph';

/**
 * Fetches the page and morphs its content: focus, open details and what scripts have drawn stay.
 *
 * @returns false if the response is stale because of an outage
 */
export async function updatePage(main: HTMLElement): Promise<boolean> {
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
  return !(response.headers.get('Cache-Status') ?? '').includes('detail=unavailable');
}

/** Elements that a script has filled stay. */
function isMorphed(current: Node): boolean {
  return !(current instanceof Element && current.matches('[data-island], .canvas'));
}

/** Details that the reader has opened stay open. */
function isUpdated(attribute: string, current: Element): boolean {
  return !(attribute === 'open' && current instanceof HTMLDetailsElement);
}
