/** The signed-in user. */
export interface User {
  username: string;
  /** "" when unknown. */
  email: string;
}

export interface ServiceAuthOptions {
  /**
   * The auth service's API, such as `https://auth.example/api`. Default: the auth service of the site that serves this
   * file. Required in the package from npm.
   */
  apiUrl?: string;
  /** Key of the session in localStorage. Default: `service_auth`. */
  storageKey?: string;
}

export interface SignedIn {
  success: true;
  user: User;
  sessionKey: string;
}

export interface Friend {
  gamertag: string;
  status: string;
  isOnline: boolean;
  /** While online: the game, and for how long. */
  game?: string;
  duration?: string;
  /** While offline. */
  lastSeen?: string;
}

export interface PlayedGame {
  title: string;
  /** As text, such as `5 minutes ago`. */
  lastPlayed: string;
  iconUrl: string;
}

export interface FriendsData {
  friends: Friend[];
  lastUpdated: string | number | null;
  count: number;
}

export interface GamesData {
  games: PlayedGame[];
  lastUpdated: string | number | null;
  count: number;
}

export interface ProfileData {
  isOnline: boolean;
  status: string;
  game?: string | null;
  timeOnline?: string | null;
  gamesPlayed: PlayedGame[];
  lastUpdated: string | number | null;
  count: number;
}

/** Why a call failed; the message can be shown to users as text. */
export interface ServiceAuthError extends Error {
  /** HTTP status when the auth service refused; undefined when it was unreachable or its response was invalid. */
  status: number | undefined;
}

/** Details of the events. None contains the session key. */
export interface ServiceAuthEvents {
  /** A user signed in, in this or another tab. */
  login: User;
  /** The user was signed out: by `logout()`, because the session ended, or in another tab. */
  logout: User;
  /** A call failed; the session is unchanged. */
  error: ServiceAuthError;
}

/**
 * Signs users in at the auth service and stores their session in localStorage, or in memory when the browser denies
 * that. Each event is also dispatched on `window`, as `service:login`, `service:logout` and `service:error`
 * with the same detail.
 *
 * Only a 401 of the auth service ends a session. When it is unreachable, takes more than 10 seconds or sends an invalid
 * response, the session stays and `error` is emitted. Equal concurrent calls share one request.
 */
export class ServiceAuth {
  /** @throws TypeError if `apiUrl` is required and missing */
  constructor(options?: ServiceAuthOptions);

  /**
   * Signs in and replaces the current session; emits `login`.
   *
   * @throws ServiceAuthError, after `error` was emitted; the current session stays
   */
  login(email: string, password: string): Promise<SignedIn>;

  /**
   * Clears the session at once, emits `logout`, and notifies the auth service. Never rejects.
   *
   * @returns false when the auth service was not notified: the key may still be valid there
   */
  logout(): Promise<boolean>;

  /** Whether the auth service confirms the session; false also when it is unreachable. Never rejects. */
  verifySession(): Promise<boolean>;

  /** Whether there is a session; sends no request. */
  isLoggedIn(): boolean;
  getUser(): User | null;
  getUsername(): string | null;
  getEmail(): string | null;
  /** For the header `X-Session-Key`; never put it into a URL. */
  getSessionKey(): string | null;

  /**
   * Data of the session's user: a copy in this browser of at most a minute, else the data of the auth service, else a
   * stale copy. Null without a session or data. Never rejects.
   */
  getFriends(): Promise<FriendsData | null>;
  /** Likewise. */
  getGames(): Promise<GamesData | null>;
  /** Likewise. */
  getProfile(): Promise<ProfileData | null>;

  /**
   * Lets the auth service read the data from the network again. Null without a session, or when it has ended.
   *
   * @throws ServiceAuthError, after `error` was emitted
   */
  refreshFriends(): Promise<FriendsData | null>;
  /** Likewise. */
  refreshGames(): Promise<GamesData | null>;
  /** Likewise. */
  refreshProfile(): Promise<ProfileData | null>;

  /** @deprecated The network no longer has mutes: always empty. */
  getMutes(): Promise<never[]>;

  /** Verifies the session periodically. Default: every 5 minutes; at least 1 second. */
  startAutoVerify(intervalMs?: number): void;
  stopAutoVerify(): void;

  /** An error of a listener is reported as an uncaught error of the page, and affects nothing else. */
  on<Name extends keyof ServiceAuthEvents>(name: Name, listener: (detail: ServiceAuthEvents[Name]) => void): void;
  off<Name extends keyof ServiceAuthEvents>(name: Name, listener: (detail: ServiceAuthEvents[Name]) => void): void;
}

type ServiceAuthClass = typeof ServiceAuth;

declare global {
  var ServiceAuth: ServiceAuthClass;

  interface WindowEventMap {
    'service:login': CustomEvent<User>;
    'service:logout': CustomEvent<User>;
    'service:error': CustomEvent<ServiceAuthError>;
  }
}
