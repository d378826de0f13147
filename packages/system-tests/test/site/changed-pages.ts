/**
 * Runs in a browser, as `changedPages`: changes the markup of a page as if its records had changed, and compares the page with
 * the markup that it was sent. A row has an id, and shows a record.
 */
export const CHANGED_PAGES = `window.changedPages = (() => {
  const parse = (text) => new DOMParser().parseFromString(text, 'text/html');
  const rowsOf = (root) => [...root.querySelectorAll('main :is(tbody > tr, li)[id]')].filter((row) => !row.closest('nav'));
  const linksOf = (root) => [...root.querySelectorAll('a[href]')];
  const rowOf = (element) => element.closest('main :is(tbody > tr, li)[id]');
  /** Without what scripts add. */
  const textOf = (element) => {
    const copy = element.cloneNode(true);
    for (const added of copy.querySelectorAll('[data-island], .canvas')) added.remove();
    for (const time of copy.querySelectorAll('time[data-time]')) time.textContent = time.dateTime;
    for (const leaf of copy.querySelectorAll('[data-leaf]')) leaf.textContent = leaf.dataset.leaf;
    // Times of plots and hours of the heat map are of the reader’s zone.
    if (element.closest('figure, .heat')) for (const cell of copy.querySelectorAll(element.closest('.heat') ? 'td' : 'th')) cell.textContent = '';
    return copy.textContent.replace(/\\s+/g, ' ').trim();
  };
  const describe = (link) => textOf(link) + ' → ' + link.getAttribute('href');
  const content = (root) => [
    ...rowsOf(root).map((row) => row.id + ': ' + textOf(row)),
    ...linksOf(root.querySelector('main')).filter((link) => !link.closest('[data-island]')).map(describe),
  ];
  const changeLink = (link, text) => {
    link.setAttribute('href', link.getAttribute('href') + '#changed');
    link.append(text);
  };
  let focused, selected, charts;
  return {
    /** Of each list: the first row is removed, the others are in reverse order, and a new one comes first. */
    change(text) {
      const page = parse(text);
      for (const link of linksOf(page.querySelector('main'))) if (!rowOf(link)) changeLink(link, ' (changed)');
      for (const [list, rows] of Map.groupBy(rowsOf(page), (row) => row.parentNode)) {
        for (const row of rows) (row.matches('tr') ? row.lastElementChild : row).append(' (changed)');
        const added = rows[0].cloneNode(true);
        added.id += '-added';
        for (const element of added.querySelectorAll('[id]')) element.removeAttribute('id');
        for (const link of linksOf(added)) changeLink(link, ' (added)');
        if (rows.length > 1) rows.shift().remove();
        list.prepend(added, ...rows.reverse());
      }
      return '<!doctype html>' + page.documentElement.outerHTML;
    },
    /** Links that stay, one of each kind: outside of rows, and of each position in a row of each list. */
    kindsOfLinks() {
      for (const details of document.querySelectorAll('main details')) details.open = true;
      const lists = Map.groupBy(rowsOf(document), (row) => row.parentNode);
      const inRows = [...lists.values()].flatMap((rows) => linksOf(rows[Math.min(2, rows.length - 1)]));
      const loose = [...Map.groupBy(
        linksOf(document.querySelector('main')).filter((link) => !rowOf(link) && link.checkVisibility()),
        (link) => link.closest('nav, form, th, .head, section, main').tagName + (link.closest('section')?.id ?? ''),
      ).values()].map(([link]) => link);
      this.kinds = [...inRows.map((link) => [rowOf(link).id, linksOf(rowOf(link)).indexOf(link)]), ...loose.map((link) => [link])];
      return this.kinds.length;
    },
    /** Focuses a link, and selects the text of another row. */
    use(kind) {
      const [of, index] = this.kinds[kind];
      const link = typeof of === 'string' ? linksOf(document.getElementById(of))[index] : of;
      link.focus();
      focused = { link, row: rowOf(link)?.id, text: textOf(link) };
      const otherRow = this.kinds.map(([id]) => id).find((id) => typeof id === 'string' && id !== of);
      const other = otherRow === undefined ? [] : linksOf(document.getElementById(otherRow));
      getSelection().removeAllRanges();
      if (other.length > 0) getSelection().selectAllChildren(other[0]);
      selected = { text: String(getSelection()), row: other[0] && rowOf(other[0]).id };
      charts = [...document.querySelectorAll('.canvas > *')];
    },
    /** What differs from the markup that was sent, or was lost. */
    faults(text) {
      const [shown, sent] = [content(document), content(parse(text))];
      const faults = shown.filter((one, index) => one !== sent[index]).map((one) => 'shows ' + one);
      if (shown.length !== sent.length) faults.push('has other rows or links');
      const active = document.activeElement;
      if (active !== focused.link) faults.push('lost the focus of ' + focused.text + ' to ' + active.tagName);
      if (focused.row !== undefined && (rowOf(active)?.id !== focused.row || textOf(active) !== focused.text))
        faults.push('moved the focus from ' + focused.text + ' to ' + textOf(active));
      const anchor = getSelection().anchorNode?.parentElement;
      if (selected.row !== undefined && (String(getSelection()) !== selected.text || rowOf(anchor)?.id !== selected.row))
        faults.push('selects ' + getSelection() + ' in place of ' + selected.text);
      if (charts.some((part) => !part.isConnected)) faults.push('has drawn a chart again');
      if (document.querySelector('main details:not([open])')) faults.push('has closed details');
      const unkeyed = [...document.querySelectorAll('main :is(tbody > tr, li:has(a))')].filter((row) => !row.closest('nav, li[id], tr[id]'));
      for (const row of unkeyed) faults.push('has a row without an id: ' + textOf(row));
      return [...new Set(faults)];
    },
  };
})();`;
