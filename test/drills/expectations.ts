import { expect } from 'expect';

/** Jest's `expect` for what is run without Jest. */
export function bringExpect(): void {
  Object.assign(globalThis, { expect });
}
