/** A throttle: runs at once, then at most once in `everyMs` for all calls meanwhile. */
export function gathered(everyMs: number, work: () => void): () => void {
  let resting: NodeJS.Timeout | undefined;
  let isWanted = false;
  const begin = () => {
    isWanted = false;
    resting = setTimeout(() => {
      resting = undefined;
      if (isWanted) begin();
    }, everyMs).unref();
    work();
  };
  return () => {
    if (resting === undefined) begin();
    else isWanted = true;
  };
}
