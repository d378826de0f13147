import { inspect } from 'node:util';
import { z } from 'zod';

const REDACTED = '[redacted]';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** A server listens on them; no client reaches them elsewhere. */
const WILDCARD_HOSTS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/** Schema of an environment variable's text; `.optional()` makes a setting without a default optional. */
export type Setting<Value> = z.ZodType<Value, string | undefined>;

/** A setting without a default must be set. Error messages continue the setting's name. */
export const setting = {
  text(fallback?: string): Setting<string> {
    return withDefault(text('a text'), fallback);
  },

  integer({ min, max, default: fallback }: { min: number; max: number; default?: number }): Setting<number> {
    const message = `an integer from ${min} to ${max}`;
    const integer = text(message)
      .regex(/^-?[0-9]{1,15}$/, `must be ${message}`)
      .transform(Number)
      .refine((value) => value >= min && value <= max, `must be ${message}`);
    return withDefault(integer, fallback);
  },

  /** A URL without trailing slashes; protocols are `http` or `http:`. */
  url({ protocols, default: fallback }: { protocols: readonly string[]; default?: string }): Setting<string> {
    const names = withColons(protocols);
    const message = urlMessage(names);
    const url = text(message)
      .refine((value) => URL.canParse(value) && names.includes(new URL(value).protocol), {
        error: `must be ${message}`,
        abort: true,
      })
      .refine(
        (value) => !WILDCARD_HOSTS.has(new URL(value).hostname),
        'must name a host: 0.0.0.0 and :: are all addresses of one',
      )
      .transform(withoutTrailingSlashes);
    return withDefault(url, fallback);
  },

  mongodb({ default: fallback }: { default: string }): Setting<string> {
    const url = text('a URL').refine(
      (value) => isServerUrl(['mongodb:'], value),
      `must be ${urlMessage(['mongodb:'])}`,
    );
    return withDefault(url.transform(withoutTrailingSlashes), fallback);
  },

  store({ protocols, default: fallback }: { protocols: readonly string[]; default: string }): Setting<string> {
    const names = withColons(protocols);
    const isValid = (url: string) => /^sqlite:./.test(url) || isServerUrl(names, url);
    const url = text('sqlite:PATH').refine(isValid, `must be sqlite:PATH or ${urlMessage(names)}`);
    return withDefault(url.transform(withoutTrailingSlashes), fallback);
  },

  oneOf<const Values extends readonly [string, ...string[]]>(
    values: Values,
    fallback?: Values[number],
  ): Setting<Values[number]> {
    return withDefault(z.enum(values, { error: unsetOr(`one of ${values.join(', ')}`) }), fallback);
  },

  secret(): Setting<Secret> {
    return text('a text').transform((value) => new Secret(value));
  },
} as const;

function text(expected: string) {
  return z.string({ error: unsetOr(expected) });
}

function unsetOr(expected: string) {
  return ({ input }: { input?: unknown }) =>
    input === undefined ? `must be set to ${expected}` : `must be ${expected}`;
}

function withDefault<Value>(schema: z.ZodType<Value, string>, fallback: Value | undefined): Setting<Value> {
  if (fallback === undefined) return schema;
  return schema
    .optional()
    .transform((value) => value ?? fallback)
    .meta({ default: fallback });
}

function urlMessage(protocols: readonly string[]): string {
  return `a URL that begins with ${protocols.join(' or ')}`;
}

function withColons(protocols: readonly string[]): string[] {
  return protocols.map((protocol) => (protocol.endsWith(':') ? protocol : `${protocol}:`));
}

/** Not parsed: a MongoDB URL may name several hosts, which `URL` rejects. */
function isServerUrl(protocols: readonly string[], value: string): boolean {
  return protocols.some((name) => value.startsWith(`${name}//`));
}

function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
