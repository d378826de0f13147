/** Resolves after the time between two requests of a load, or the duration of a fault. */
export function pace(ms: number): Promise<void> {
  return new Promise((resolve) => {
    // eslint-disable-next-line no-restricted-syntax -- No state is waited for: time is what the measurement consists of.
    setTimeout(resolve, ms);
  });
}
