import { durationText, MINUTE_MS } from '../dates.ts';

const SECOND_MS = 1000;
/** Seconds are shown when less time than this is left. */
const SECONDS_BELOW_MS = 10 * MINUTE_MS;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows with events how long it is until they begin or end. The times are attributes of the parent, which updates
 * change; the text is the island's, which updates leave alone.
 */
export function showCountdowns(root: ParentNode): void {
  clearTimeout(timer);
  const countdowns = [...root.querySelectorAll<HTMLElement>('[data-countdown]')];
  if (countdowns.length === 0) return;
  const now = Date.now();
  const waits = countdowns.map((element) => show(element, now));
  timer = setTimeout(() => showCountdowns(root), Math.min(...waits));
}

/** @returns milliseconds until the text changes */
function show({ dataset, lastElementChild: shown }: HTMLElement, now: number): number {
  const startsIn = Date.parse(dataset['starts'] ?? '') - now;
  const endsIn = Date.parse(dataset['ends'] ?? '') - now;
  const text = describe(startsIn, endsIn);
  if (shown !== null && shown.textContent !== text) shown.textContent = text;
  const left = startsIn > 0 ? startsIn : endsIn > 0 ? endsIn : -startsIn;
  const unit = Math.abs(left) < SECONDS_BELOW_MS + MINUTE_MS ? SECOND_MS : MINUTE_MS;
  return unit - (now % unit);
}

/** @param endsIn NaN if the end is not known */
function describe(startsIn: number, endsIn: number): string {
  if (startsIn > 0) return `in ${timeLeft(startsIn)}`;
  if (Number.isNaN(endsIn)) return `began ${duration(-startsIn)} ago`;
  return endsIn > 0 ? `ends in ${timeLeft(endsIn)}` : 'over';
}

/** Rounded up to the unit in which it is shown: it changes when the clock does. */
function timeLeft(ms: number): string {
  const unit = ms < SECONDS_BELOW_MS ? SECOND_MS : MINUTE_MS;
  return duration(Math.ceil(ms / unit) * unit);
}

function duration(ms: number): string {
  if (ms >= SECONDS_BELOW_MS) return durationText(ms);
  const seconds = `${Math.floor(ms / SECOND_MS) % 60} s`;
  return ms < MINUTE_MS ? seconds : `${durationText(ms)} ${seconds}`;
}
