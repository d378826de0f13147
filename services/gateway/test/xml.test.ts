import fc from 'fast-check';
import { xml, xmlDocument } from '../src/feeds/xml.ts';
import { parseXml } from './parsed-xml.ts';

describe('xml', () => {
  it('escapes any text, in elements and in attributes', () => {
    const allowed = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const root = parseXml(xmlDocument(xml`<a b="${text}">${text}</a>`).toString());
        const expected = Array.from(text, (character) => (allowed.test(character) ? character : '\uFFFD')).join('');
        expect([root.getAttribute('b'), root.textContent]).toEqual([expected, expected]);
        expect(root.children).toHaveLength(0);
      }),
    );
  });

  it('inserts XML and lists of it unescaped, and leaves out what is undefined or false', () => {
    const rows = ['<1>', 2].map((value) => xml`<row>${value}</row>`);
    expect(xml`<all>${rows}${undefined}${false}</all>`.text).toBe('<all><row>&lt;1&gt;</row><row>2</row></all>');
  });
});
