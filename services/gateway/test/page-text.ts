import { JSDOM } from 'jsdom';
import type { RunningGateway } from './running-gateway.ts';

/** The part of the DOM that tests read. */
interface PageNode {
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>;
}

interface PageElement extends PageNode {
  readonly id: string;
  readonly textContent: string | null;
  readonly value?: string;
  readonly children: ArrayLike<PageElement> & Iterable<PageElement>;
  readonly innerHTML: string;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  closest(selector: string): PageElement | null;
}

interface PageDocument extends PageNode {
  readonly title: string;
  readonly documentElement: PageElement;
  readonly body: PageElement;
  getElementById(id: string): PageElement | null;
}

/** A page as a reader without JavaScript gets it. */
export interface ReadPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly document: PageDocument;
  /** Text of the first element, with single spaces; undefined if there is none. */
  text(selector: string): string | undefined;
  texts(selector: string): string[];
  /** Targets of links. */
  links(selector?: string): string[];
}

/** One window for all pages: making one takes as long as reading a page. */
let parser: { parseFromString(html: string, type: 'text/html'): PageDocument } | undefined;

/** The document of a page whose scripts do not run. */
function parse(html: string): PageDocument {
  parser ??= new (new JSDOM('').window['DOMParser'] as new () => NonNullable<typeof parser>)();
  return parser.parseFromString(html, 'text/html');
}

/** Requests a page of a gateway as a browser does. @throws Error if elements share an ID */
export async function readPage({ request }: Pick<RunningGateway, 'request'>, path: string): Promise<ReadPage> {
  // A browser keeps the fragment for itself.
  const [target = ''] = path.split('#', 1);
  const { status, headers, text } = await request(target, { headers: { Accept: 'text/html,*/*;q=0.8' } });
  const document = parse(text);
  const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id);
  const shared = ids.filter((id, index) => ids.indexOf(id) < index);
  if (shared.length > 0) throw new Error(`several elements of ${path} have the ID ${shared.join(', ')}`);
  const texts = (selector: string) => Array.from(document.querySelectorAll(selector), textOf);
  return {
    status,
    headers: headers as ReadPage['headers'],
    document,
    text: (selector) => texts(selector)[0],
    texts,
    links: (selector = 'main a') =>
      Array.from(document.querySelectorAll(selector), (link) => link.getAttribute('href') ?? ''),
  };
}

function textOf({ textContent }: PageElement): string {
  return (textContent ?? '').replace(/\s+/g, ' ').trim();
}
