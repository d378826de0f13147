import { UnparseablePageError } from '../../network/page-failures.ts';
import { readIcon } from '../images/read-icon.node.ts';
import { parseText, type ParseResult, type ParseTask } from './parsers.node.ts';

/** Lenient decoding would put replacement characters into names. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses in this process. Does not reject. */
export async function runTask(task: ParseTask): Promise<ParseResult> {
  try {
    return { kind: 'read', json: JSON.stringify(await read(task)) };
  } catch (error) {
    if (error instanceof UnparseablePageError) {
      const { reason, isFinal } = error;
      return { kind: 'unparseable', reason, isFinal };
    }
    // Readers descend a page by calls.
    if (error instanceof RangeError) return { kind: 'unparseable', reason: 'it is nested too deeply', isFinal: true };
    return { kind: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function read({ body, parser, ...task }: ParseTask): unknown {
  if (parser === 'icon') return readIcon(Buffer.from(body));
  return parseText({ ...task, parser }, typeof body === 'string' ? body : decode(body));
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (error) {
    if (error instanceof TypeError) throw new UnparseablePageError('its bytes are not UTF-8');
    throw error;
  }
}
