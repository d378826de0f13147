/** Resolves the `next` link of the `Link` header. @returns undefined if there is none */
export function nextPage(requestUrl: string, headers: Headers): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('Link') ?? '') ?? [];
  return target === undefined ? undefined : new URL(target, requestUrl).href;
}
