import type { ServiceAuth } from '@lobbystats/service-auth';

/** The reader's session, as islands use it. */
export interface Session {
  readonly auth: ServiceAuth;
  readonly main: HTMLElement;
  readonly showTimes: (root: ParentNode) => void;
}

/** Shows the session as it is now. Called again after changes of the page or of the session. */
export type Island = (element: HTMLElement, session: Session) => void | Promise<void>;
