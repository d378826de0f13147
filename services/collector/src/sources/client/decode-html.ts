import { TextDecoder } from 'node:util';
import { UnparseablePageError, sampleOf } from '../../network/page-failures.ts';

/** Browsers look for a charset in this part of a page. */
const PRESCAN_BYTES = 1024;
const META_CHARSET = /<meta\s[^>]*charset\s*=\s*["']?\s*([a-z0-9_:.-]+)/i;

/**
 * The text of an HTML page, decoded as browsers do: by its byte order mark, the charset of its header, that of its `meta`
 * element, else as UTF-8.
 *
 * @throws UnparseablePageError for an unknown charset, for bytes that are not of it, and for UTF-8 that is declared as a
 *   single-byte charset: its names would be garbled
 */
export function decodeHtml(body: Uint8Array, headerCharset: string | undefined): string {
  const label = byOrderMark(body) ?? headerCharset ?? byMeta(body) ?? 'utf-8';
  const decoder = decoderOf(label);
  const text = decoder && decode(body, decoder);
  if (text === undefined) throw refusal(`its charset is "${label.slice(0, 60)}", but its bytes are not`, body);
  // ISO-2022-JP is ASCII with escapes, and so UTF-8 without other characters.
  const isMislabelled =
    decoder?.encoding !== 'utf-8' && hasNonAscii(text) && hasNonAscii(decode(body, strict('utf-8')) ?? '');
  if (isMislabelled) throw refusal(`its charset is "${label.slice(0, 60)}", but its bytes are UTF-8`, body);
  return text;
}

function byOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function byMeta(body: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, PRESCAN_BYTES)).replace(/<!--[^]*?-->/g, '');
  const label = META_CHARSET.exec(head)?.[1];
  // A page whose meta element could be read is not UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string): TextDecoder | undefined {
  return unless('ERR_ENCODING_NOT_SUPPORTED', () => strict(label));
}

function strict(label: string): TextDecoder {
  return new TextDecoder(label, { fatal: true });
}

function decode(body: Uint8Array, decoder: TextDecoder): string | undefined {
  return unless('ERR_ENCODING_INVALID_ENCODED_DATA', () => decoder.decode(body));
}

/** Undefined when it throws an error with this code. */
function unless<Value>(code: string, run: () => Value): Value | undefined {
  try {
    return run();
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}

function hasNonAscii(text: string): boolean {
  return /[^\0-\x7F]/.test(text);
}

function refusal(reason: string, body: Uint8Array): UnparseablePageError {
  return new UnparseablePageError(reason, { sample: sampleOf(new TextDecoder().decode(body)) });
}
