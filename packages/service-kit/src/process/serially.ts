/** Does work when all that was given before is done, whatever became of that. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** One thing at a time, in the order in which they come. */
export function serially(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
