import type { Notice } from './form.ts';
import type { Session } from './island.ts';
import { removeOwnChannel } from './web-push.ts';

/** Signs out, after the removal of this browser's channel, and moves the focus. */
export async function signOut(session: Session, notice: Notice, focused: HTMLElement): Promise<void> {
  await removeOwnChannel(session);
  const isRevoked = session.auth.logout();
  focused.focus();
  if (!(await isRevoked)) notice.warn('You are signed out here, but the auth service could not be told.');
}
