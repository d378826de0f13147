/**
 * Calls each, one after the other, also when one of them fails.
 *
 * @throws what the first failure threw, when all have been called
 */
export async function stopInOrder(stops: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops) {
    try {
      await stop();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
