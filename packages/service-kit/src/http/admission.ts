import type { IncomingMessage } from 'node:http';
import { HttpError } from './send-response.ts';

const URL_LENGTH_MAX = 8 * 1024;

export function validateRequest(req: IncomingMessage): HttpError | undefined {
  const url = req.url ?? '';
  if (url.length > URL_LENGTH_MAX) return new HttpError(414, 'The URL is too long');
  if (!hasSingleHost(req)) return new HttpError(400, 'There must be one Host header');
  if (!isDecodable(pathOf(url))) return new HttpError(400, 'The path must be percent-encoded UTF-8');
  return undefined;
}

/** Only this part of a URL may be logged. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-3.2: two Host headers allow request smuggling. */
function hasSingleHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
