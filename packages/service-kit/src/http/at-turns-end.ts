type Act = () => void;

let waiting: Act[] = [];

/**
 * Does something when all is read that has come in, in the order in which it was asked to: what is sent then goes out in one go,
 * and who gets it is woken once for many. To wake somebody costs more than all else that is done to send a kilobyte.
 */
export function atTurnsEnd(act: Act): void {
  if (waiting.length === 0) setImmediate(doAll);
  waiting.push(act);
}

function doAll(): void {
  const all = waiting;
  waiting = [];
  let done = 0;
  try {
    for (const act of all) {
      done += 1;
      act();
    }
  } finally {
    // What one throws is not the fault of those behind it.
    for (const act of all.slice(done)) atTurnsEnd(act);
  }
}
