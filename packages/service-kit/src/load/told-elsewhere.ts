const told = new WeakSet<object>();

/**
 * Says of an error that it is counted, or told of once for many: a line in the log for each would cost more than what it tells
 * of. One error may stand for many.
 */
export function toldElsewhere<Fault extends Error>(fault: Fault): Fault {
  told.add(fault);
  return fault;
}

export function isToldElsewhere(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && told.has(fault);
}
