/** How long something that a test made is kept: until the test is over, or all of its file. */
export type Scope = 'test' | 'file';

const waiting: Record<Scope, (() => unknown)[]> = { test: [], file: [] };

/** Undoes something when its scope is over, the last first, whatever became of the test. */
export function cleanUp(undo: () => unknown, scope: Scope = 'test'): void {
  waiting[scope].push(undo);
}

/** Undoes now what would be undone when the scope is over. */
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

// Importing the kit is enough, and outside of Jest there is nobody to tell.
if (typeof afterEach === 'function') {
  afterEach(() => cleanUpNow('test'));
  afterAll(() => cleanUpNow('file'));
}
