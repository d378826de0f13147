/** An answer of the network's site, before any fault befalls it. */
export interface Page {
  status: number;
  contentType: string;
  body: string;
  /** How long a client may keep it without asking again, in seconds. */
  maxAgeSeconds: number;
}

/** An HTML page, to be asked for again each time. */
export function htmlPage(status: number, body: string): Page {
  return { status, contentType: 'text/html; charset=utf-8', body, maxAgeSeconds: 0 };
}
