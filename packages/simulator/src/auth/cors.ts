import type { NextFunction, Request, Response } from 'express';

const METHODS = 'GET, HEAD, POST, OPTIONS';
const HEADERS = 'Content-Type, X-Session-Key';
const PREFLIGHT_SECONDS = '600';

export function cors(request: Request, response: Response, next: NextFunction): void {
  response.set('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS') {
    next();
    return;
  }
  response
    .set({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    })
    .status(204)
    .end();
}
