import { expect } from 'expect';

/** Installs the global `expect` for programs outside of Jest. */
export function installExpect(): void {
  Object.assign(globalThis, { expect });
}
