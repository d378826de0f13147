import { cleanUp } from '@lobbystats/test-kit';
import { JSDOM, VirtualConsole } from 'jsdom';
import type { ServiceAuth } from '../src/service-auth.d.ts';
import { readServiceAuth } from '../src/sources.mjs';

/** A page of a site that has loaded the SDK as a classic script. */
export interface Page {
  readonly window: JSDOM['window'];
  readonly storage: Storage;
  /** Uncaught errors of the page. */
  readonly uncaughtErrors: unknown[];
  /** Events dispatched on `window`: name and detail. */
  readonly events: [string, unknown][];
  readonly create: (options?: { apiUrl?: string; storageKey?: string }) => ServiceAuth;
  /** Simulates the storage event of another tab. */
  readonly dispatchStorageEvent: (key: string | null) => void;
}

/** The parts of the Storage API that the tests use. */
interface Storage {
  readonly length: number;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  clear(): void;
}

/** Opens a page whose script was served for the auth service at `authUrl`. */
export function openPage(authUrl: string): Page {
  const uncaughtErrors: unknown[] = [];
  const virtualConsole = new VirtualConsole().on('jsdomError', ({ cause }) => uncaughtErrors.push(cause));
  const { window } = new JSDOM('', { url: 'http://stats.example/', runScripts: 'outside-only', virtualConsole });
  cleanUp(() => {
    window.close();
  });
  // jsdom has no fetch, and its own AbortSignal would not work with the one of Node.
  Object.assign(window, { fetch, AbortSignal });
  const events: Page['events'] = [];
  const listen = window['addEventListener'] as (name: string, listener: (event: { detail: unknown }) => void) => void;
  for (const name of ['service:login', 'service:logout', 'service:error']) {
    listen(name, ({ detail }) => events.push([name, detail]));
  }
  window.eval(readServiceAuth(authUrl)['service-auth.js']);
  const SDK = window['ServiceAuth'] as typeof ServiceAuth;
  return {
    window,
    storage: window['localStorage'] as Storage,
    uncaughtErrors,
    events,
    create: (options) => new SDK(options),
    dispatchStorageEvent: (key) =>
      window.eval(`dispatchEvent(new StorageEvent('storage', { key: ${JSON.stringify(key)} }))`),
  };
}
