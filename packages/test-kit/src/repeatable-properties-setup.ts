import type fastCheck from 'fast-check';
import { repeatableProperties } from './repeatable-properties.ts';

// Loads fast-check only in suites that import it.
jest.mock('fast-check', () => {
  const repeatable = repeatableProperties(jest.requireActual<{ default: typeof fastCheck }>('fast-check').default);
  return { ...repeatable, __esModule: true, default: repeatable };
});
