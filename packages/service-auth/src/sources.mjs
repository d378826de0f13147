import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @type {typeof import('./sources.d.mts').readServiceAuth} */
export function readServiceAuth(authUrl) {
  return {
    'service-auth.js': read('service-auth.js').replace('{{authUrl}}', () => escapeForQuotes(authUrl)),
    'service-auth.mjs': read('service-auth.mjs'),
  };
}

/** @param {string} name */
function read(name) {
  return readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
}

/** Escapes a text for a single-quoted string literal. @param {string} text */
function escapeForQuotes(text) {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}
