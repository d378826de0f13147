import type { BackfillProgress } from '@lobbystats/collector';
import { SLOTS_PER_DAY } from '@lobbystats/contracts';

export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

export function backfillProgressLine(terminal: Terminal): (progress: BackfillProgress) => void {
  let lastTenth = -1;
  return ({ doneSlots, totalSlots }) => {
    // A finished backfill shows nothing.
    if (totalSlots === 0 || (doneSlots === totalSlots && lastTenth < 0)) return;
    const percent = Math.floor((100 * doneSlots) / totalSlots);
    const tenth = Math.floor(percent / 10);
    const days = Math.ceil(totalSlots / SLOTS_PER_DAY);
    const text = `Backfilling the past ${days} days: ${percent} % (${doneSlots} of ${totalSlots} snapshots)`;
    if (terminal.isTTY === true) terminal.write(`\r\x1b[2K${text}${percent === 100 ? '\n' : ''}`);
    else if (tenth > lastTenth) terminal.write(`${text}\n`);
    lastTenth = Math.max(lastTenth, tenth);
  };
}
