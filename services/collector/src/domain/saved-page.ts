import { formatInstant, instant, parseInstant, type EpochSeconds } from '@lobbystats/contracts';

/** A page of the network as it was once read. */
export interface SavedPage {
  url: string;
  at: EpochSeconds;
  body: string;
}

/** Which page an address is; undefined for one that the collector doesn't read. */
export type SavedPageName = { page: 'home' } | { page: 'game'; titleId: string };

/** A page as a line of a file, without its end: `{"url", "at": "YYYY-MM-DDTHH:MM:SSZ", "body"}`. */
export function formatSavedPage({ url, at, body }: SavedPage): string {
  return JSON.stringify({ url, at: formatInstant(at), body });
}

/**
 * A page from such a line.
 *
 * @throws Error that says what is wrong with the line
 */
export function parseSavedPage(line: string): SavedPage {
  const value = jsonOf(line);
  if (typeof value !== 'object' || value === null) throw new Error('it is no JSON object');
  const { url, at, body } = value as Record<string, unknown>;
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error('"url" must be an absolute URL');
  if (!instant.safeParse(at).success) throw new Error('"at" must be an instant of the form YYYY-MM-DDTHH:MM:SSZ');
  if (typeof body !== 'string') throw new Error('"body" must be the page, a text');
  return { url, at: parseInstant(at as string), body };
}

/** What page a URL is of the network at `networkUrl`, or of one that lies at the root of its host. */
export function pageNameOf(url: string, networkUrl: string): SavedPageName | undefined {
  const { pathname } = new URL(url);
  const [, titleId] = /\/games\/([0-9a-f]{8})\/?$/i.exec(pathname) ?? [];
  if (titleId !== undefined) return { page: 'game', titleId: titleId.toLowerCase() };
  const home = new URL(networkUrl).pathname.replace(/\/$/, '');
  return pathname === '/' || pathname === home || pathname === `${home}/` ? { page: 'home' } : undefined;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error('it is no JSON', { cause: error });
  }
}
