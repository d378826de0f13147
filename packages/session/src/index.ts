export { createSessionVerifier, type SessionVerifierOptions } from './create-session-verifier.ts';
