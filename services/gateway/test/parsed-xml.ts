import { JSDOM } from 'jsdom';

/** Parses a document as a browser does. @throws Error if it is not well-formed */
export function parseXml(text: string): Document {
  const { DOMParser } = new JSDOM('').window;
  const document = new DOMParser().parseFromString(text, 'application/xml');
  const [fault] = document.getElementsByTagName('parsererror');
  if (fault !== undefined) throw new Error(`not well-formed: ${fault.textContent}`);
  return document;
}

/** Texts of the elements with that name, in order. */
export function textsOf(parent: Document | Element, name: string): (string | null)[] {
  return Array.from(parent.getElementsByTagName(name), ({ textContent }) => textContent);
}
