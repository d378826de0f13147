import { z } from 'zod';
import { Secret } from './secret.ts';

/** A setting: takes the text of an environment variable, or none; `.optional()` makes one without a default optional. */
export type Setting<Value> = z.ZodType<Value, string | undefined>;

const PROTOCOL_END = /:$/;

/** Schemas for settings. Without a default a setting must be set. Their messages read on from the setting's name. */
export const setting = {
  /** Any text. */
  text(fallback?: string): Setting<string> {
    return withDefault(text('a text'), fallback);
  },

  /** Decimal digits, within bounds. */
  integer({ min, max, default: fallback }: { min: number; max: number; default?: number }): Setting<number> {
    const message = `an integer from ${min} to ${max}`;
    const integer = text(message)
      .regex(/^-?[0-9]{1,15}$/, `must be ${message}`)
      .transform(Number)
      .refine((value) => value >= min && value <= max, `must be ${message}`);
    return withDefault(integer, fallback);
  },

  /** A URL with one of the protocols (`http` or `http:`), as it was given but for slashes at its end. */
  url({ protocols, default: fallback }: { protocols: readonly string[]; default?: string }): Setting<string> {
    const names = protocols.map((protocol) => `${protocol.replace(PROTOCOL_END, '')}:`);
    const message = aUrlWith(names);
    const url = text(message)
      .refine((value) => isUrlOf(names, value), `must be ${message}`)
      .transform(withoutEndSlashes);
    return withDefault(url, fallback);
  },

  /** The URL of a MongoDB. */
  mongodb({ default: fallback }: { default: string }): Setting<string> {
    const isOurs = (url: string) => isServersOf(['mongodb:'], url);
    return withDefault(
      text('a URL')
        .refine(isOurs, `must be ${aUrlWith(['mongodb:'])}`)
        .transform(withoutEndSlashes),
      fallback,
    );
  },

  /** Where a store is: `sqlite:PATH`, or a server's URL with one of the protocols (`http` or `http:`). */
  store({ protocols, default: fallback }: { protocols: readonly string[]; default: string }): Setting<string> {
    const names = protocols.map((protocol) => `${protocol.replace(PROTOCOL_END, '')}:`);
    const message = `must be sqlite:PATH or ${aUrlWith(names)}`;
    const isOurs = (url: string) => /^sqlite:./.test(url) || isServersOf(names, url);
    return withDefault(text('sqlite:PATH').refine(isOurs, message).transform(withoutEndSlashes), fallback);
  },

  /** One of a few texts. */
  oneOf<const Values extends readonly [string, ...string[]]>(
    values: Values,
    fallback?: Values[number],
  ): Setting<Values[number]> {
    return withDefault(z.enum(values, { error: unsetOr(`one of ${values.join(', ')}`) }), fallback);
  },

  /** A value that is never printed. */
  secret(): Setting<Secret> {
    return text('a text').transform((value) => new Secret(value));
  },
} as const;

function text(what: string) {
  return z.string({ error: unsetOr(what) });
}

function unsetOr(what: string) {
  return (issue: { input?: unknown }) => (issue.input === undefined ? `must be set to ${what}` : `must be ${what}`);
}

function withDefault<Value>(schema: z.ZodType<Value, string>, fallback: Value | undefined): Setting<Value> {
  if (fallback === undefined) return schema;
  return schema.optional().transform((value) => value ?? fallback);
}

function aUrlWith(protocols: readonly string[]): string {
  return `a URL that begins with ${protocols.join(' or ')}`;
}

function isUrlOf(protocols: readonly string[], value: string): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

/** Not parsed: a MongoDB's URL may name several hosts, which no other URL can. */
function isServersOf(protocols: readonly string[], value: string): boolean {
  return protocols.some((name) => value.startsWith(`${name}//`));
}

function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
