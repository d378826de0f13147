import { formatInstant, parseInstant } from '@lobbystats/contracts';
import { links } from '@lobbystats/site/links';
import { xml, xmlDocument, type Xml } from './xml.ts';

export interface AtomFeed {
  readonly siteUrl: string;
  readonly id: string;
  readonly title: string;
  /** URL of this document. */
  readonly self: string;
  /** URL of the next page of older entries (RFC 5005, section 3). */
  readonly next?: string | undefined;
  /** URLs of the same by media type. */
  readonly alternates: Readonly<Record<string, string>>;
  /** The newest first. */
  readonly entries: readonly AtomEntry[];
}

export interface AtomEntry {
  /** The same in all feeds: see {@link tagUri}. */
  readonly id: string;
  readonly title: string;
  /** A timestamp of the API, UTC. */
  readonly at: string;
  /** Links to pages, by relation. */
  readonly links: Readonly<Record<string, string | undefined>>;
  /** Terms, and their labels. */
  readonly categories: readonly (readonly [term: string, label?: string])[];
  /** Plain. */
  readonly text: string;
}

/** A feed must have an instant. */
const NEVER = '1970-01-01T00:00:00Z';

/** RFC 4287, as UTF-8. */
export function atomDocument({ siteUrl, id, title, self, next, alternates, entries }: AtomFeed): Buffer {
  const [newest] = entries;
  return xmlDocument(xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${id}</id>
<title>${title}</title>
<updated>${newest === undefined ? NEVER : instantOf(newest)}</updated>
<author><name>Lobbystats</name><uri>${siteUrl}${links.home}</uri></author>
<icon>${siteUrl}/favicon.ico</icon>
<link rel="self" type="application/atom+xml" href="${self}"/>
${next !== undefined && xml`<link rel="next" type="application/atom+xml" href="${next}"/>`}
${Object.entries(alternates).map(([type, href]) => xml`<link rel="alternate" type="${type}" href="${href}"/>\n`)}${entries.map(entryElement)}</feed>`);
}

function entryElement(entry: AtomEntry): Xml {
  const instant = instantOf(entry);
  const pages = Object.entries(entry.links).flatMap(([rel, href]) =>
    href === undefined ? [] : [xml`<link rel="${rel}" type="text/html" href="${href}"/>\n`],
  );
  return xml`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<published>${instant}</published>
<updated>${instant}</updated>
${pages}${entry.categories.map(([term, label]) => xml`<category term="${term}"${label !== undefined && xml` label="${label}"`}/>\n`)}<content type="text">${entry.text}</content>
</entry>
`;
}

function instantOf({ at }: AtomEntry): string {
  return formatInstant(parseInstant(at));
}

/** RFC 4151. The year in which the site had its address belongs to the syntax; it never changes. */
export function tagUri(siteUrl: string, specific: string): string {
  const { hostname } = new URL(siteUrl + links.home);
  return `tag:${hostname.replace(/[[\]]/g, '')},2026:${specific}`;
}
