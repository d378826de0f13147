import { JSDOM } from 'jsdom';

/** The part of an element that tests read. */
export interface XmlElement {
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string;
  readonly children: ArrayLike<XmlElement>;
  getAttribute(name: string): string | null;
  getElementsByTagName(name: string): ArrayLike<XmlElement>;
}

interface XmlParser {
  parseFromString(text: string, type: string): { readonly documentElement: XmlElement };
}

/** Belongs to one window for all documents. */
let parser: XmlParser | undefined;

/** Parses a document as a browser does, and returns its root. @throws Error if it is not well-formed */
export function parseXml(text: string): XmlElement {
  parser ??= new (new JSDOM('').window['DOMParser'] as new () => XmlParser)();
  const root = parser.parseFromString(text, 'application/xml').documentElement;
  const [fault] = elementsOf(root, 'parsererror');
  if (root.localName === 'parsererror' || fault !== undefined) throw new Error(`not well-formed: ${root.textContent}`);
  return root;
}

export function elementsOf(parent: XmlElement, name: string): XmlElement[] {
  return Array.from(parent.getElementsByTagName(name));
}

/** Texts of the elements with that name, in order. */
export function textsOf(parent: XmlElement, name: string): string[] {
  return elementsOf(parent, name).map(({ textContent }) => textContent);
}
