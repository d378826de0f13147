/** Creates a mutex: runs work in the order of the calls, whether earlier work succeeds or fails. */
export function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
}
