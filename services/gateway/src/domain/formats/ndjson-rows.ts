import { byteAt, END, valueEnd } from './json-bytes.ts';
import type { RowForm } from './row-form.ts';

const LF = 0x0a;
/** All bytes below are control characters. In JSON they stand between values alone. */
const FIRST_PLAIN = 0x20;

/** Rows as NDJSON: each row's JSON as it is, LF at the end of every line. */
export const ndjsonRows: RowForm = {
  head: '',
  writeRows: (bytes, from, sink) => {
    const end = valueEnd(bytes, from);
    if (end === END) return END;
    const line = sink.roomFor(end - from + 1);
    let at = sink.length;
    for (let index = from; index < end; index += 1) {
      const byte = byteAt(bytes, index);
      if (byte < FIRST_PLAIN) {
        sink.text(`${JSON.stringify(JSON.parse(bytes.toString('utf8', from, end)))}\n`);
        return end;
      }
      line[at++] = byte;
    }
    line[at++] = LF;
    sink.length = at;
    return end;
  },
};
