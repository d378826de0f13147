export interface Page {
  status: number;
  contentType: string;
  body: string;
  maxAgeSeconds: number;
}

export function htmlPage(status: number, body: string): Page {
  return { status, contentType: 'text/html; charset=utf-8', body, maxAgeSeconds: 0 };
}
