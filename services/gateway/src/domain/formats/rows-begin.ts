import { behind, END, sign, skipSpace, valueEnd } from './json-bytes.ts';

/**
 * The place of the first row in an answer that begins with these bytes, `END` while they don't reach it.
 *
 * @param name of the member that has the rows, `''` where the answer is their array
 * @throws SyntaxError where there are no such rows
 */
export function rowsBegin(bytes: Buffer, name: string): number {
  if (name === '') return behind(bytes, 0, sign.openArray);
  let member = behind(bytes, 0, sign.openObject);
  while (member !== END) {
    const nameBegin = skipSpace(bytes, member);
    const nameEnd = valueEnd(bytes, nameBegin);
    const value = nameEnd === END ? END : behind(bytes, nameEnd, sign.colon);
    if (value === END) return END;
    if (JSON.parse(bytes.toString('utf8', nameBegin, nameEnd)) === name) return behind(bytes, value, sign.openArray);
    const end = valueEnd(bytes, skipSpace(bytes, value));
    member = end === END ? END : behind(bytes, end, sign.comma);
  }
  return END;
}
