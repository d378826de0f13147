export { createSessionPresence, type SessionPresence } from './create-session-presence.ts';
export { createSessionVerifier, type SessionVerifierOptions } from './create-session-verifier.ts';
