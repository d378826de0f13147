/** The cells of CSV by the grammar of RFC 4180, https://www.rfc-editor.org/rfc/rfc4180#section-2; anything off it is thrown. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /"((?:[^"]|"")*)"(,|\r\n)|([^",\r\n]*)(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const begin = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) throw new SyntaxError(`no CSV at ${begin}: ${text.slice(begin, begin + 40)}`);
    const [, quoted, quotedEnd, plain, plainEnd] = found;
    line.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if ((quotedEnd ?? plainEnd) === '\r\n') {
      lines.push(line);
      line = [];
    }
  }
  if (line.length > 0) throw new SyntaxError('the last line has no end');
  return lines;
}
