import { html, raw } from 'hono/html';

/** Markup. In its template, texts are escaped, markup is not; `undefined`, `null` and booleans are left out. */
export type Html = ReturnType<typeof html>;

export { html, raw };

/** @throws Error for markup that awaits something */
export function textOf(markup: Html): string {
  if (markup instanceof Promise) throw new Error('this markup must not be asynchronous');
  return markup.toString();
}
