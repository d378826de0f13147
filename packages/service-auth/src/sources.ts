import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SDK's texts, to be served beside each other under these names: the module loads the script. */
export type ServiceAuthSources = Readonly<Record<'service-auth.js' | 'service-auth.mjs', string>>;

/** Reads the SDK for browsers that reach the auth service at `authUrl`. */
export function readServiceAuth(authUrl: string): ServiceAuthSources {
  return {
    'service-auth.js': read('service-auth.js').replace('{{authUrl}}', () => inQuotes(authUrl)),
    'service-auth.mjs': read('service-auth.mjs'),
  };
}

function read(name: keyof ServiceAuthSources): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

/** As it can stand between single quotes. */
function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}
