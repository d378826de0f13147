import { decodeHtml } from '../src/sources/client/decode-html.ts';
import { UnparseablePageError } from '../src/network/page-failures.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const META = '<meta charset="iso-8859-1">';

describe('decodeHtml', () => {
  it.each([
    ['UTF-8 without a declaration', Buffer.from('<p>Étoile'), undefined, '<p>Étoile'],
    ['the header’s charset', latin1('<p>Étoile'), 'iso-8859-1', '<p>Étoile'],
    ['the charset of a meta element', latin1(`${META}<p>Étoile`), undefined, `${META}<p>Étoile`],
    ['a meta element that the header overrides', Buffer.from(`${META}<p>Étoile`), 'UTF-8', `${META}<p>Étoile`],
    ['a byte order mark', Buffer.from('\ufeff<p>Étoile'), 'iso-8859-1', '<p>Étoile'],
    ['UTF-16', Buffer.from('\ufeff<p>Étoile', 'utf16le'), undefined, '<p>Étoile'],
    ['a charset in a comment', Buffer.from(`<!-- ${META} --><p>Étoile`), undefined, `<!-- ${META} --><p>Étoile`],
    ['ISO-2022-JP', Buffer.from([0x1b, 0x24, 0x42, 0x25, 0x5e, 0x1b, 0x28, 0x42]), 'iso-2022-jp', 'マ'],
    ['Shift JIS', Buffer.from([0x83, 0x7d, 0x83, 0x8a]), 'shift_jis', 'マリ'],
  ])('decodes by %s', (_, body, charset, text) => {
    expect(decodeHtml(body, charset)).toBe(text);
  });

  it.each([
    ['bytes that are not UTF-8', latin1('<p>Étoile'), undefined],
    ['a cut character', Buffer.from('<p>É').subarray(0, 4), 'utf-8'],
    ['an unknown charset', Buffer.from('<p>x'), 'klingon'],
    ['UTF-8 declared as ISO-8859-1', Buffer.from('<p>Étoile'), 'iso-8859-1'],
  ])('throws UnparseablePageError for %s', (_, body, charset) => {
    expect(() => decodeHtml(body, charset)).toThrow(UnparseablePageError);
  });
});
