/** The URL of the next page that a `Link` names, relative to the request; undefined where it names none. */
export function nextPage(requestUrl: string, headers: Headers): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('Link') ?? '') ?? [];
  return target === undefined ? undefined : new URL(target, requestUrl).href;
}
