import process from 'node:process';
import { UnparseablePageError } from '../network/page-failures.ts';
import { parseText, type ParseResult, type ParseTask } from './parsers.process.ts';

// A terminal sends Ctrl-C to all processes. The parent decides when this one ends; without a parent it ends by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

/** Lenient decoding would put replacement characters into names. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

process.on('message', (task: ParseTask) => process.send?.(runTask(task)));
process.send?.('ready');

function runTask({ body, ...task }: ParseTask): ParseResult {
  try {
    const text = typeof body === 'string' ? body : decode(body);
    return { kind: 'read', json: JSON.stringify(parseText(task, text)) };
  } catch (error) {
    if (error instanceof UnparseablePageError) {
      const { reason, isFinal } = error;
      return { kind: 'unparseable', reason, isFinal };
    }
    return { kind: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (error) {
    if (error instanceof TypeError) throw new UnparseablePageError('its bytes are not UTF-8');
    throw error;
  }
}
