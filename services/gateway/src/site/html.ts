import { html, raw } from 'hono/html';

/** Markup. In its template, texts are escaped, markup is not; `undefined`, `null` and booleans are left out. */
export type Html = ReturnType<typeof html>;

export { html, raw };
