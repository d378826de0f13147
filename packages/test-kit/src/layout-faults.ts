/**
 * An expression for a browser: texts and tables of its page that are cut off, scroll sideways, or leave their boxes, and short words that are
 * broken. Visually hidden texts, code, texts that end in an ellipsis, and the header’s row of links may be cut.
 */
export const LAYOUT_FAULTS = `(() => {
  const faults = new Set();
  const SHORT_WORD = /^\\p{L}{2,10}$/u;
  const isHidden = (element) => !element.checkVisibility() || element.closest('.hidden, .skip, .swagger-ui, pre') !== null;
  const shownPart = (element) => {
    let [left, right] = [0, document.documentElement.clientWidth];
    for (let box = element; box !== null; box = box.parentElement) {
      const { overflowX, position, textOverflow } = getComputedStyle(box);
      if (textOverflow === 'ellipsis' || (overflowX === 'auto' && box.matches('header nav')) || (overflowX === 'hidden' && position === 'absolute')) return undefined;
      const { x, width } = box.getBoundingClientRect();
      if (overflowX !== 'visible') [left, right] = [Math.max(left, x), Math.min(right, x + width)];
    }
    return { left, right };
  };
  const say = (what, text) => faults.add(what + ': ' + text.trim().replace(/\\s+/g, ' ').slice(0, 60));
  for (const table of document.querySelectorAll('.table'))
    if (!isHidden(table) && table.scrollWidth > table.clientWidth + 1)
      say('scrolls sideways by ' + (table.scrollWidth - table.clientWidth), table.ariaLabel ?? table.textContent);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (data.trim() === '' || isHidden(parentElement)) continue;
    const shown = shownPart(parentElement);
    if (shown === undefined) continue;
    range.selectNodeContents(texts.currentNode);
    for (const { left, right, width } of range.getClientRects())
      if (width > 1 && (left < shown.left - 1 || right > shown.right + 1)) say('is cut off', data);
    let box = parentElement;
    while (getComputedStyle(box).display.startsWith('inline') || getComputedStyle(box).display === 'contents') box = box.parentElement;
    const { left, right } = box.getBoundingClientRect();
    const all = range.getBoundingClientRect();
    if (all.width > 1 && (all.left < left - 1 || all.right > right + 1)) say('leaves its box', data);
    for (const { index, 0: word } of data.matchAll(/\\S+/g)) {
      if (!SHORT_WORD.test(word)) continue;
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) say('breaks the word ' + word, data);
    }
  }
  return [...faults];
})()`;
