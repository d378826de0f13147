/** The SDK as a classic script: it defines the global `ServiceAuth`. Its API is documented in service-auth.d.ts. */
globalThis.ServiceAuth = (() => {
  /** @typedef {import('./service-auth.d.ts').User} User */
  /** @typedef {{ sessionKey: string, user: User }} Session */
  /** @typedef {{ body?: object, headers?: Record<string, string>, keepalive?: boolean }} RequestOptions */
  /** @typedef {(detail: any) => void} Listener */

  // The server replaces the placeholder with the address of the auth service.
  const API_URL = '{{authUrl}}/api';
  const TIMEOUT_MS = 10_000;
  const VERIFY_EVERY_MS = 300_000;
  const LONGEST_TIMER_MS = 2 ** 31 - 1;
  // A copy is fresh for this long.
  const COPY_FRESH_MS = 60_000;
  // The copied data, and the list that each response must contain.
  const LISTS = Object.freeze({ friends: 'friends', games: 'games', profile: 'gamesPlayed' });

  /** Data that the browser refuses to store: lasts as long as the page. @type {Map<string, string>} */
  const unstored = new Map();

  class ServiceAuth {
    #apiUrl;
    #storageKey;
    #copiesKey;
    #listeners = /** @type {Map<string, Set<Listener>>} */ (new Map());
    /** Calls in flight, by their arguments. */
    #calls = /** @type {Map<string, Promise<any>>} */ (new Map());
    /** The session last announced to listeners. @type {Session | null} */
    #announced;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #timer;

    constructor({ apiUrl = API_URL, storageKey = 'service_auth' } = {}) {
      // The package from npm belongs to no site.
      if (apiUrl.startsWith('{{')) throw new TypeError('apiUrl is missing');
      this.#apiUrl = apiUrl.replace(/\/+$/, '');
      this.#storageKey = storageKey;
      this.#copiesKey = `${storageKey}_copies`;
      this.#announced = this.#read();
      // Node has no other tabs and no events of a page.
      globalThis.addEventListener?.('storage', ({ key }) => {
        if (key === storageKey) unstored.delete(key);
        this.#catchUp();
      });
      // A page restored from the back/forward cache has missed events of other tabs.
      globalThis.addEventListener?.('pageshow', () => this.#catchUp());
    }

    /** @param {string} email @param {string} password */
    login(email, password) {
      return this.#share(['login', email, password], async () => {
        const answer = await this.#request('POST', 'login', { body: { email, password } });
        const session = toSession({ sessionKey: answer['sessionKey'], user: { email, ...answer } });
        if (session === null) throw unreadable();
        remove(this.#copiesKey);
        this.#keep(session);
        this.#emit('login', session.user);
        return { success: /** @type {const} */ (true), ...session };
      });
    }

    async logout() {
      const session = this.#read();
      this.#forget();
      if (session === null) return true;
      this.#emit('logout', session.user);
      const { sessionKey } = session;
      const send = () => this.#request('POST', 'logout', { body: { sessionKey }, keepalive: true }).catch(unlessEnded);
      const sending = this.#share(['logout', sessionKey], send);
      return sending.then(() => true).catch(() => false);
    }

    async verifySession() {
      const verify = async (/** @type {Session} */ { sessionKey, user }) => {
        const answer = await this.#request('POST', 'verify', { body: { sessionKey } });
        if (answer['valid'] !== true) throw unreadable();
        if (this.getSessionKey() !== sessionKey) return false;
        this.#keep(toSession({ sessionKey, user: { ...user, ...answer } }) ?? { sessionKey, user });
        return true;
      };
      return (await this.#asUser('verify', verify).catch(() => false)) ?? false;
    }

    isLoggedIn() {
      return this.#read() !== null;
    }

    getUser() {
      return this.#read()?.user ?? null;
    }

    getUsername() {
      return this.#read()?.user.username ?? null;
    }

    getEmail() {
      return this.#read()?.user.email ?? null;
    }

    getSessionKey() {
      return this.#read()?.sessionKey ?? null;
    }

    getFriends() {
      return this.#getCopy('friends');
    }

    getGames() {
      return this.#getCopy('games');
    }

    getProfile() {
      return this.#getCopy('profile');
    }

    refreshFriends() {
      return this.#load('friends', 'POST', 'refresh/friends');
    }

    refreshGames() {
      return this.#load('games', 'POST', 'refresh/games');
    }

    refreshProfile() {
      return this.#load('profile', 'POST', 'refresh/profile');
    }

    async getMutes() {
      return [];
    }

    startAutoVerify(intervalMs = VERIFY_EVERY_MS) {
      this.stopAutoVerify();
      const everyMs = Math.min(Math.max(intervalMs || VERIFY_EVERY_MS, 1000), LONGEST_TIMER_MS);
      this.#timer = setInterval(() => this.verifySession(), everyMs);
    }

    stopAutoVerify() {
      clearInterval(this.#timer);
    }

    /** @param {string} name @param {Listener} listener */
    on(name, listener) {
      this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener));
    }

    /** @param {string} name @param {Listener} listener */
    off(name, listener) {
      this.#listeners.get(name)?.delete(listener);
    }

    /** @param {string} name @param {unknown} detail never the session key: any script of the page may listen */
    #emit(name, detail) {
      for (const listener of [...(this.#listeners.get(name) ?? [])]) {
        try {
          listener(detail);
        } catch (error) {
          // The browser reports it as an uncaught error, and the call continues.
          setTimeout(() => {
            throw error;
          });
        }
      }
      globalThis.dispatchEvent?.(new CustomEvent(`service:${name}`, { detail }));
    }

    /** Emits events for changes by another tab. */
    #catchUp() {
      const [before, session] = [this.#announced, this.#read()];
      if (before?.sessionKey === session?.sessionKey) return;
      this.#announced = session;
      if (session !== null) this.#emit('login', session.user);
      else if (before !== null) this.#emit('logout', before.user);
    }

    /** Read each time: another tab may have written. */
    #read() {
      return toSession(readJson(this.#storageKey));
    }

    /** @param {Session} session */
    #keep(session) {
      this.#announced = session;
      writeJson(this.#storageKey, { ...session, timestamp: Date.now() });
    }

    #forget() {
      this.#announced = null;
      remove(this.#storageKey);
      remove(this.#copiesKey);
    }

    /** The user's copies with their times; those of another user are ignored. */
    #copies() {
      const username = this.getUsername();
      const copies = readJson(this.#copiesKey);
      return copies['username'] === username ? copies : { username };
    }

    /**
     * A fresh copy, else the data of the auth service, else a stale copy.
     * @param {keyof typeof LISTS} name
     * @returns {Promise<any>}
     */
    async #getCopy(name) {
      const { at, data = null } = Object(this.#copies()[name]);
      const ageMs = Date.now() - at;
      if (data !== null && ageMs >= 0 && ageMs < COPY_FRESH_MS) return data;
      return this.#load(name, 'GET', name).catch(() => data);
    }

    /** @type {(name: keyof typeof LISTS, method: string, path: string) => Promise<any>} */
    #load(name, method, path) {
      return this.#asUser(path, async ({ sessionKey }) => {
        const data = await this.#request(method, path, { headers: { 'X-Session-Key': sessionKey } });
        if (!Array.isArray(data[LISTS[name]])) throw unreadable();
        if (this.getSessionKey() !== sessionKey) return null;
        delete data['success'];
        writeJson(this.#copiesKey, { ...this.#copies(), [name]: { at: Date.now(), data } });
        return data;
      });
    }

    /**
     * Runs work with the session; null without one, or when it has ended.
     * @template Result
     * @param {string} call
     * @param {(session: Session) => Promise<Result>} work
     * @returns {Promise<Result | null>}
     */
    async #asUser(call, work) {
      const session = this.#read();
      if (session === null) return null;
      const { sessionKey, user } = session;
      return this.#share([call, sessionKey], () =>
        work(session).catch((error) => {
          unlessEnded(error);
          // Another session may have replaced it.
          if (this.getSessionKey() === sessionKey) {
            this.#forget();
            this.#emit('logout', user);
          }
          return null;
        }),
      );
    }

    /**
     * Equal concurrent calls share one. A failure is emitted as `error` once.
     * @template Result
     * @param {string[]} call
     * @param {() => Promise<Result>} work
     * @returns {Promise<Result>}
     */
    #share(call, work) {
      const id = JSON.stringify(call);
      const running = this.#calls.get(id);
      if (running !== undefined) return running;
      const started = work()
        .finally(() => this.#calls.delete(id))
        .catch((error) => {
          this.#emit('error', error);
          throw error;
        });
      this.#calls.set(id, started);
      return started;
    }

    /**
     * @param {string} method
     * @param {string} path
     * @param {RequestOptions} options
     * @returns {Promise<Record<string, unknown>>} the body of the response
     */
    async #request(method, path, { body, headers = { 'Content-Type': 'application/json' }, keepalive = false }) {
      let response, answer;
      try {
        response = await fetch(`${this.#apiUrl}/auth/${path}`, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
          keepalive,
          cache: 'no-store',
          credentials: 'omit',
          // A redirect would forward the password or the key.
          redirect: 'error',
          referrerPolicy: 'no-referrer',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        answer = await response.json();
      } catch (cause) {
        if (Object(cause).name === 'TimeoutError') throw fault('The auth service did not answer in time', { cause });
        throw response ? unreadable({ cause }) : fault('The auth service can not be reached', { cause });
      }
      if (answer === null || typeof answer !== 'object') throw unreadable();
      if (response.ok) return answer;
      throw fault(isText(answer.error) ? answer.error : `The auth service refused (${response.status})`, response);
    }
  }

  /** @typedef {{ status?: number, cause?: unknown }} Why `status` when the auth service itself refused */
  /** @type {(message: string, why: Why) => Error} */
  const fault = (message, { status, cause }) => Object.assign(new Error(message, { cause }), { status });

  const unreadable = (why = {}) => fault('The auth service gave no answer that can be understood', why);

  /** Ignores a 401 of the auth service, which means that the session has ended. @param {any} error */
  function unlessEnded(error) {
    if (error.status !== 401) throw error;
  }

  /** @param {any} stored @returns {Session | null} */
  function toSession({ sessionKey, user }) {
    const { username, email } = Object(user);
    if (!isText(sessionKey) || !isText(username)) return null;
    return { sessionKey, user: { username, email: isText(email) ? email : '' } };
  }

  const isText = (/** @type {unknown} */ value) => typeof value === 'string' && value !== '';

  /** The stored object; empty when it is missing or broken. @param {string} key @returns {Record<string, any>} */
  function readJson(key) {
    try {
      return Object(JSON.parse(unstored.get(key) ?? localStorage.getItem(key) ?? 'null'));
    } catch {
      return {};
    }
  }

  /** @param {string} key @param {unknown} value */
  function writeJson(key, value) {
    const text = JSON.stringify(value);
    unstored.delete(key);
    try {
      localStorage.setItem(key, text);
    } catch {
      // The stored text is out of date.
      remove(key);
      unstored.set(key, text);
    }
  }

  /** @param {string} key */
  function remove(key) {
    unstored.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing is stored when storage is denied.
    }
  }

  return /** @satisfies {typeof import('./service-auth.d.ts').ServiceAuth} */ (ServiceAuth);
})();
