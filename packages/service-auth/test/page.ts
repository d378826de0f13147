import { cleanUp } from '@lobbystats/test-kit';
import { JSDOM, VirtualConsole } from 'jsdom';
import type { ServiceAuth } from '../src/service-auth.d.ts';
import { readServiceAuth } from '../src/sources.ts';

/** A page of a site that has loaded the SDK as a classic script. */
export interface Page {
  readonly window: JSDOM['window'];
  readonly storage: Storage;
  /** What went uncaught in it. */
  readonly uncaught: unknown[];
  /** What was dispatched on `window`: the event’s name and detail. */
  readonly dispatched: [string, unknown][];
  readonly create: (options?: { apiUrl?: string; storageKey?: string }) => ServiceAuth;
  /** What another tab’s change of the storage is told by. */
  readonly tellOfStorage: (key: string | null) => void;
}

/** The parts of the Storage API that the tests look at. */
interface Storage {
  readonly length: number;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  clear(): void;
}

/** Opens one; the auth service is at `authUrl` as the served script says it. */
export function openPage(authUrl: string): Page {
  const uncaught: unknown[] = [];
  const virtualConsole = new VirtualConsole().on('jsdomError', ({ cause }) => uncaught.push(cause));
  const { window } = new JSDOM('', { url: 'http://stats.example/', runScripts: 'outside-only', virtualConsole });
  cleanUp(() => {
    window.close();
  });
  // jsdom has neither; a signal of its own would be strange to this fetch.
  Object.assign(window, { fetch, AbortSignal });
  const dispatched: Page['dispatched'] = [];
  const listen = window['addEventListener'] as (name: string, listener: (event: { detail: unknown }) => void) => void;
  for (const name of ['service:login', 'service:logout', 'service:error']) {
    listen(name, ({ detail }) => dispatched.push([name, detail]));
  }
  window.eval(readServiceAuth(authUrl)['service-auth.js']);
  const SDK = window['ServiceAuth'] as typeof ServiceAuth;
  return {
    window,
    storage: window['localStorage'] as Storage,
    uncaught,
    dispatched,
    create: (options) => new SDK(options),
    tellOfStorage: (key) => window.eval(`dispatchEvent(new StorageEvent('storage', { key: ${JSON.stringify(key)} }))`),
  };
}
