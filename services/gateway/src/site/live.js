/** The live stream, while the page is visible: a hidden page holds no connection. */

/** @typedef {{ slot: string, online: number, lobbies: number | null }} Slot as in the API */

/** Minimum delay in seconds before a rejected stream is opened again; the maximum is twice as long. */
const REFUSED_SECONDS = 30;

/**
 * Subscribes to new snapshots.
 * @param {(slot: Slot | undefined) => void} onNews undefined when events may have been missed
 */
export function followSlots(onNews) {
  /** @type {EventSource | undefined} */
  let stream;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function open() {
    const source = new EventSource('/api/stream?topics=online');
    source.addEventListener('online', ({ data }) => onNews(JSON.parse(data)));
    source.addEventListener('reset', () => onNews(undefined));
    source.addEventListener('error', () => {
      // The browser reopens a stream that breaks off, but not one that is rejected.
      if (source.readyState === EventSource.CLOSED)
        timer = setTimeout(follow, 1000 * REFUSED_SECONDS * (1 + Math.random()));
    });
    return source;
  }

  function follow() {
    clearTimeout(timer);
    stream?.close();
    stream = document.hidden ? undefined : open();
  }

  document.addEventListener('visibilitychange', follow);
  follow();
}
