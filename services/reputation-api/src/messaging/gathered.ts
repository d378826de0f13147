/**
 * Makes work that is done at once for who asks alone; where it is asked for again and again it is done once in so many
 * milliseconds, for all that has come meanwhile.
 */
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
