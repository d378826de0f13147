/** Who is signed in. */
export interface User {
  username: string;
  /** "" where it is not known. */
  email: string;
}

export interface ServiceAuthOptions {
  /** The auth service's API. Default: that of the site from which this file was loaded. */
  apiUrl?: string;
  /** Under which key of localStorage the session is kept. Default: `service_auth`. */
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
  /** In words, such as `5 minutes ago`. */
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

/** Why a call failed, in words that can be shown as text. */
export interface ServiceAuthError extends Error {
  /** Of the auth service's answer, where it said no; undefined when it could not be reached or made no sense. */
  status: number | undefined;
}

/** What listeners get. The session key is in none of it. */
export interface ServiceAuthEvents {
  /** Someone signed in, here or in another tab. */
  login: User;
  /** Who was signed in is so no longer: by `logout()`, because the session ended, or in another tab. */
  logout: User;
  /** A call failed; the session is as it was. */
  error: ServiceAuthError;
}

/**
 * Signs people in at the auth service and keeps their session in localStorage, or for as long as the page lasts where the
 * browser denies that. Each event is also dispatched on `window`, as `service:login`, `service:logout` and `service:error`
 * with the same detail.
 *
 * Only a 401 of the auth service ends a session. When it can't be reached, takes more than 10 seconds or answers with
 * anything that makes no sense, the session stays and `error` is emitted. Equal calls at once are one request.
 */
export class ServiceAuth {
  constructor(options?: ServiceAuthOptions);

  /**
   * Signs in, in place of whoever is signed in; emits `login`.
   *
   * @throws ServiceAuthError, after `error` was emitted: whoever was signed in still is
   */
  login(email: string, password: string): Promise<SignedIn>;

  /**
   * Clears the session at once, emits `logout`, and tells the auth service. Never rejects.
   *
   * @returns false when the auth service could not be told: the key may go on being valid there
   */
  logout(): Promise<boolean>;

  /** Whether the auth service says that the session is valid; false also when it could not be asked. Never rejects. */
  verifySession(): Promise<boolean>;

  /** Whether there is a session; asks nobody. */
  isLoggedIn(): boolean;
  getUser(): User | null;
  getUsername(): string | null;
  getEmail(): string | null;
  /** For the header `X-Session-Key`; it belongs in no URL. */
  getSessionKey(): string | null;

  /**
   * What was last known of the session's user: this browser's copy of at most a minute, else what the auth service has, else
   * the copy however old. Null without a session, or when there is nothing. Never rejects.
   */
  getFriends(): Promise<FriendsData | null>;
  /** Likewise. */
  getGames(): Promise<GamesData | null>;
  /** Likewise. */
  getProfile(): Promise<ProfileData | null>;

  /**
   * Has the auth service read it anew from the network. Null without a session, or when it turns out to have ended.
   *
   * @throws ServiceAuthError, after `error` was emitted
   */
  refreshFriends(): Promise<FriendsData | null>;
  /** Likewise. */
  refreshGames(): Promise<GamesData | null>;
  /** Likewise. */
  refreshProfile(): Promise<ProfileData | null>;

  /** @deprecated The network has no mutes any more: always empty. */
  getMutes(): Promise<never[]>;

  /** Verifies the session again and again, while there is one. Default: each 5 minutes; at least 1 second. */
  startAutoVerify(intervalMs?: number): void;
  stopAutoVerify(): void;

  /** What a listener throws is reported as an uncaught error of the page, and disturbs nothing else. */
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
