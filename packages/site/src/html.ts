import { html as template, raw } from 'hono/html';

/** Markup. In its template, texts are escaped, markup is not; `undefined`, `null` and booleans are left out. */
export type Html = ReturnType<typeof template>;

export { raw };

/** A template of markup. The indentation of the source is left out, as on every line of every row it would be sent. */
export function html(source: TemplateStringsArray, ...values: readonly unknown[]): Html {
  const parts = unindented.get(source) ?? unindent(source);
  return template(parts, ...values);
}

const unindented = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

function unindent(source: TemplateStringsArray): TemplateStringsArray {
  const parts = source.map((part) => part.replace(/[ \n]*\n[ \n]*/g, '\n'));
  const compact = Object.assign(parts, { raw: parts });
  unindented.set(source, compact);
  return compact;
}

/** @throws Error for markup that awaits something */
export function textOf(markup: Html): string {
  if (markup instanceof Promise) throw new Error('this markup must not be asynchronous');
  return markup.toString();
}
