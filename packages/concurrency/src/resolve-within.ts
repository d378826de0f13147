/** Resolves to undefined when the work takes longer. The work itself isn't cancelled. */
export async function resolveWithin<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    resolve(undefined);
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
