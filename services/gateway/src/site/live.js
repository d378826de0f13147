/** The live stream, while the page is seen: a hidden page takes nobody's connection. */

/** @typedef {{ slot: string, online: number, lobbies: number | null }} Slot as the API says it */

/** How long to wait where the stream is refused, in seconds: from the first on, as much again at most. */
const REFUSED_SECONDS = 30;

/**
 * Follows the snapshots that come in from now on.
 * @param {(slot: Slot | undefined) => void} onNews undefined when something may have been missed
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
      // A stream that breaks off is taken up again by the browser, one that is refused is not.
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
