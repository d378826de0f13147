/** Joins all tabs of the browser. */
const channel = new BroadcastChannel('lobbystats-writes');

/** Shows what the reader has just stored: on this page, and in the other tabs. */
export function announceWrite(main: HTMLElement): void {
  main.dispatchEvent(new Event('outdated'));
  channel.postMessage('');
}

/** Runs a function after each write of another tab. */
export function onOtherWrite(act: () => void): void {
  channel.addEventListener('message', act);
}
