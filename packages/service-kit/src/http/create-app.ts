import express, { type ErrorRequestHandler, type Express } from 'express';
import { HttpProblem, sendError } from './send-error.ts';

/** An Express app without what this product does by itself: queries, ETags, error pages. */
export function createApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  return app;
}

/** What stands behind all routes: 404, and `{error}` for whatever was thrown. */
export function mountLastResort(app: Express): void {
  app.use((_req, res) => {
    sendError(res, new HttpProblem(404, 'Unknown route'));
  });
  app.use(answerError);
}

/** Express tells an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: unknown, _req, res, _next) => {
  sendError(res, error);
};
