import { guardNetwork } from './network-guard.ts';

const guard = guardNetwork();

// A refused connection may be taken for an ordinary outage by the code under test: the test fails all the same.
afterEach(() => {
  const refused = guard.takeRefused();
  if (refused.length > 0) throw new Error(`The test tried to leave this machine: ${refused.join(', ')}`);
});
