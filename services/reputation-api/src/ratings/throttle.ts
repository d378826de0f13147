/** Runs `work` at once, then at most once per `everyMs` for all calls in between. */
export function throttle(everyMs: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;
  const begin = () => {
    isPending = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isPending) begin();
    }, everyMs).unref();
    work();
  };
  return () => {
    if (timer === undefined) begin();
    else isPending = true;
  };
}
