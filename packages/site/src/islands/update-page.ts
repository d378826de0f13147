export type StaleReason = 'unavailable' | 'refreshing' | 'gone';

/**
 * Fetches the page and morphs its content: focus, selected text, open details and what scripts have drawn stay with
 * the records that they belong to.
 *
 * @param prepare adds what scripts add to texts of the page: what has it already does not change
 * @returns why the page is stale: an outage, a newer response that is being composed, or there is no such page any more
 * and it stays as it is; undefined for a current one
 */
export async function updatePage(
  main: HTMLElement,
  prepare: (content: ParentNode) => void,
): Promise<StaleReason | undefined> {
  const response = await fetch(location.href, { cache: 'no-cache', headers: { Accept: 'text/html' } });
  if (response.status === 404) return 'gone';
  if (!response.ok) throw new Error(`status ${response.status}`);
  const fetched = new DOMParser().parseFromString(await response.text(), 'text/html');
  const content = fetched.querySelector('main');
  if (content === null) throw new Error('a page without content');
  const { Idiomorph } = await import('idiomorph').catch((error: unknown) => {
    if (isOtherRelease(fetched) && ![...main.querySelectorAll(CONTROLS)].some(isUsed)) location.reload();
    throw error;
  });
  document.title = fetched.title;
  prepare(content);
  keepFocusAndSelection(() => {
    void Idiomorph.morph(main, content, {
      callbacks: { beforeNodeMorphed: isMorphed, beforeAttributeUpdated: isUpdated },
    });
  });
  const status = response.headers.get('Cache-Status') ?? '';
  return (['unavailable', 'refreshing'] as const).find((reason) => status.includes(`detail=${reason}`));
}

const CONTROLS = 'input, textarea, select';

/** A newer release of the site has other scripts, and no longer those of the shown page. */
function isOtherRelease(fetched: Document): boolean {
  const [shown, other] = [document, fetched].map((page) => page.querySelector('script[type="module"]'));
  return shown?.getAttribute('src') !== other?.getAttribute('src');
}

/**
 * Shows other content in an element that a script fills: focus and selected text stay with what has the same ID or place.
 * Listeners of the shown elements stay, those of the given ones count only in an empty element.
 */
export async function updateContent(element: HTMLElement, content: readonly (Node | string)[]): Promise<void> {
  const morph = element.childElementCount === 0 ? undefined : await import('idiomorph').catch(() => undefined);
  if (morph === undefined) {
    element.replaceChildren(...content);
    return;
  }
  const nodes = content.map((one) => (typeof one === 'string' ? document.createTextNode(one) : one));
  keepFocusAndSelection(() => {
    void morph.Idiomorph.morph(element, nodes, {
      morphStyle: 'innerHTML',
      callbacks: { beforeNodeMorphed: isMorphed },
    });
  });
}

/** Elements that a script has filled and controls that the reader uses stay as they are: each whole. */
function isMorphed(current: Node): boolean {
  if (!(current instanceof Element)) return true;
  return !(current.matches('[data-island], .canvas') || isUsed(current));
}

/** Controls with the focus, or with another value than the page has given them. */
function isUsed(control: Element): boolean {
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
    const isChecked = control instanceof HTMLInputElement && control.checked !== control.defaultChecked;
    return isChecked || control.value !== control.defaultValue || control === document.activeElement;
  }
  if (!(control instanceof HTMLSelectElement)) return false;
  const initial = control.querySelector<HTMLOptionElement>('option[selected]') ?? control.options[0];
  return initial?.selected === false || control === document.activeElement;
}

/** Details that the reader has opened stay open. */
function isUpdated(attribute: string, current: Element): boolean {
  return !(attribute === 'open' && current instanceof HTMLDetailsElement);
}

/** A moved element loses the focus, and a moved text the selection: both are given back. */
export function keepFocusAndSelection(change: () => void): void {
  const focused = document.activeElement;
  const selection = getSelection();
  const selected = selection?.toString();
  const [start, end] = [
    boundary(selection?.anchorNode, selection?.anchorOffset),
    boundary(selection?.focusNode, selection?.focusOffset),
  ];
  change();
  if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true });
  if (selected === '' || selection?.toString() === selected || !start?.isThere() || !end?.isThere()) return;
  selection?.setBaseAndExtent(start.node, start.offset, end.node, end.offset);
}

/** An end of the selection. It is lost with its node, and when the text of the node changes. */
function boundary(node: Node | null | undefined, offset = 0) {
  if (!node) return undefined;
  const text = node.nodeValue;
  const isThere = () => node.isConnected && node.nodeValue === text && offset <= (text ?? node.childNodes).length;
  return { node, offset, isThere };
}
