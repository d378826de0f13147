const ROLES: Readonly<Record<string, string>> = {
  table: 'table',
  thead: 'rowgroup',
  tbody: 'rowgroup',
  tr: 'row',
  th: 'columnheader',
  td: 'cell',
};

/** The same table of other elements; such tables have no footers. */
export function withRoles(html: string): string {
  const tagOf = (name: string) => (/^t[hd]$/.test(name) ? 'span' : 'div');
  return html
    .replace(/<tfoot>.*?<\/tfoot>/gs, '')
    .replace(/ colspan=/g, ' aria-colspan=')
    .replace(/<(table|thead|tbody|tr|th|td)\b/g, (_, name: string) => `<${tagOf(name)} role="${ROLES[name]}"`)
    .replace(/<\/(table|thead|tbody|tr|th|td)>/g, (_, name: string) => `</${tagOf(name)}>`);
}
