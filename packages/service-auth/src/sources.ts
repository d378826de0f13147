import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SDK's files, to be served in one directory under these names: the module loads the script. */
export type ServiceAuthSources = Readonly<Record<'service-auth.js' | 'service-auth.mjs', string>>;

/** Reads the SDK for browsers that reach the auth service at `authUrl`. */
export function readServiceAuth(authUrl: string): ServiceAuthSources {
  return {
    'service-auth.js': read('service-auth.js').replace('{{authUrl}}', () => escapeForQuotes(authUrl)),
    'service-auth.mjs': read('service-auth.mjs'),
  };
}

function read(name: keyof ServiceAuthSources): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

/** Escapes a text for a single-quoted string literal. */
function escapeForQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}
