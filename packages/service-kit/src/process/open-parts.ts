import type { Stop } from './lifecycle.ts';
import { stopInOrder } from './stop-in-order.ts';

/** What can be opened, and so has to be closed. */
interface Closable {
  close(): Promise<void> | void;
}

/** Takes a part that was given, which whoever gave it closes, or opens one. */
type Part = <Opened extends Closable>(
  given: Opened | undefined,
  open: () => Opened | Promise<Opened>,
) => Promise<Opened>;

/**
 * Opens parts one after the other. When one can't be had, those that were opened before are closed.
 *
 * @returns what `open` has, and what closes the parts that were opened, in the order in which they were
 */
export async function openParts<Parts extends object>(
  open: (part: Part) => Promise<Parts>,
): Promise<Parts & { closers: readonly Stop[] }> {
  const closers: Stop[] = [];
  const part: Part = async (given, openOne) => {
    if (given !== undefined) return given;
    const opened = await openOne();
    closers.push(async () => opened.close());
    return opened;
  };
  try {
    return { ...(await open(part)), closers };
  } catch (error) {
    // What failed first is what has to be told.
    await stopInOrder(closers.toReversed()).catch(() => undefined);
    throw error;
  }
}
