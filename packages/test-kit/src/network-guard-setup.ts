import { guardNetwork } from './network-guard.ts';

const guard = guardNetwork();

// The code under test may treat a refused connection as an outage: the test must fail anyway.
afterEach(() => {
  const refused = guard.takeRefused();
  if (refused.length > 0) throw new Error(`The test opened external connections: ${refused.join(', ')}`);
});
