/** Text that is XML already. */
export class Xml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `undefined` and `false` are left out. */
export type XmlContent = Xml | string | number | undefined | false | readonly XmlContent[];

/** A template of XML: values that are not {@link Xml} are escaped, in elements as in quoted attributes. */
export function xml(parts: TemplateStringsArray, ...values: readonly XmlContent[]): Xml {
  return new Xml(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

/** UTF-8, with the XML declaration. */
export function xmlDocument(root: Xml): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`);
}

function textOf(content: XmlContent): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Xml) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return escapeText(String(content));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Parsers would replace them by spaces or line feeds.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_ALLOWED, '\uFFFD')
    .replace(/[&<>"'\t\n\r]/g, (character) => ESCAPES[character] ?? '');
}

/** Characters that XML 1.0 allows in no form (section 2.2). */
const NOT_ALLOWED = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
