export { createSessions, type SessionsOptions } from './create-sessions.ts';
