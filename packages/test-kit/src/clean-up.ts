export type Scope = 'test' | 'file';

const waiting: Record<Scope, (() => unknown)[]> = { test: [], file: [] };

/** Runs `undo` after the test or file, in reverse order of registration, also if the test fails. */
export function cleanUp(undo: () => unknown, scope: Scope = 'test'): void {
  waiting[scope].push(undo);
}

export async function cleanUpNow(scope: Scope = 'test'): Promise<void> {
  const failures: unknown[] = [];
  for (const undo of waiting[scope].splice(0).reverse()) {
    try {
      await undo();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Cleaning up failed');
}

// Outside Jest there is nothing to register.
if (typeof afterEach === 'function') {
  afterEach(() => cleanUpNow('test'));
  afterAll(() => cleanUpNow('file'));
}
