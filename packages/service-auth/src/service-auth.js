/** The SDK as a classic script: it defines the global `ServiceAuth`. What its methods promise stands in service-auth.d.ts. */
globalThis.ServiceAuth = (() => {
  /** @typedef {import('./service-auth.d.ts').User} User */
  /** @typedef {{ sessionKey: string, user: User }} Session */
  /** @typedef {{ body?: object, headers?: Record<string, string>, keepalive?: boolean }} Asked */
  /** @typedef {(detail: any) => void} Listener */

  // Whoever serves this file fills in where the auth service is.
  const API_URL = '{{authUrl}}/api';
  const TIMEOUT_MS = 10_000;
  const VERIFY_EVERY_MS = 300_000;
  const LONGEST_TIMER_MS = 2 ** 31 - 1;
  // For so long a copy counts as what the auth service has, which is a copy too.
  const COPY_FRESH_MS = 60_000;
  // What is copied, and the list that an answer must have.
  const LISTS = Object.freeze({ friends: 'friends', games: 'games', profile: 'gamesPlayed' });

  /** What the browser would not store: it lasts as long as the page. @type {Map<string, string>} */
  const unstored = new Map();

  class ServiceAuth {
    #apiUrl;
    #storageKey;
    #copiesKey;
    #listeners = /** @type {Map<string, Set<Listener>>} */ (new Map());
    /** Calls under way, by what they ask. */
    #calls = /** @type {Map<string, Promise<any>>} */ (new Map());
    /** The session that listeners have been told of. @type {Session | null} */
    #told;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #timer;

    constructor({ apiUrl = API_URL, storageKey = 'service_auth' } = {}) {
      this.#apiUrl = apiUrl.replace(/\/+$/, '');
      this.#storageKey = storageKey;
      this.#copiesKey = `${storageKey}_copies`;
      this.#told = this.#read();
      addEventListener('storage', ({ key }) => {
        if (key === storageKey) unstored.delete(key);
        this.#catchUp();
      });
      // A page that comes out of the back/forward cache has missed what other tabs did.
      addEventListener('pageshow', () => this.#catchUp());
    }

    /** @param {string} email @param {string} password */
    login(email, password) {
      return this.#share(['login', email, password], async () => {
        const answer = await this.#ask('POST', 'login', { body: { email, password } });
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
      const tell = () => this.#ask('POST', 'logout', { body: { sessionKey }, keepalive: true }).catch(unlessEnded);
      const telling = this.#share(['logout', sessionKey], tell);
      return telling.then(() => true).catch(() => false);
    }

    async verifySession() {
      const verify = async (/** @type {Session} */ { sessionKey, user }) => {
        const answer = await this.#ask('POST', 'verify', { body: { sessionKey } });
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
          // The browser reports it as the page's own, and what was under way goes on.
          setTimeout(() => {
            throw error;
          });
        }
      }
      dispatchEvent(new CustomEvent(`service:${name}`, { detail }));
    }

    /** Tells of what another tab did. */
    #catchUp() {
      const [before, session] = [this.#told, this.#read()];
      if (before?.sessionKey === session?.sessionKey) return;
      this.#told = session;
      if (session !== null) this.#emit('login', session.user);
      else if (before !== null) this.#emit('logout', before.user);
    }

    /** Read each time: another tab may have written. */
    #read() {
      return toSession(readJson(this.#storageKey));
    }

    /** @param {Session} session */
    #keep(session) {
      this.#told = session;
      writeJson(this.#storageKey, { ...session, timestamp: Date.now() });
    }

    #forget() {
      this.#told = null;
      remove(this.#storageKey);
      remove(this.#copiesKey);
    }

    /** What is known of the user, and since when; another's is as none. */
    #copies() {
      const username = this.getUsername();
      const copies = readJson(this.#copiesKey);
      return copies['username'] === username ? copies : { username };
    }

    /**
     * A fresh copy, else what the auth service has, else the copy however old.
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
        const data = await this.#ask(method, path, { headers: { 'X-Session-Key': sessionKey } });
        if (!Array.isArray(data[LISTS[name]])) throw unreadable();
        if (this.getSessionKey() !== sessionKey) return null;
        delete data['success'];
        writeJson(this.#copiesKey, { ...this.#copies(), [name]: { at: Date.now(), data } });
        return data;
      });
    }

    /**
     * Does something with the session; null without one, or when it turns out to have ended.
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
          // Another session may stand in its place by now.
          if (this.getSessionKey() === sessionKey) {
            this.#forget();
            this.#emit('logout', user);
          }
          return null;
        }),
      );
    }

    /**
     * Makes equal calls at once one. What fails is told to `error` listeners once.
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
     * @param {Asked} asked
     * @returns {Promise<Record<string, unknown>>} what the auth service answered
     */
    async #ask(method, path, { body, headers = { 'Content-Type': 'application/json' }, keepalive = false }) {
      let response;
      let answer;
      try {
        response = await fetch(`${this.#apiUrl}/auth/${path}`, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
          keepalive,
          cache: 'no-store',
          credentials: 'omit',
          // It would take the password or the key along, wherever it leads.
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

  /** @typedef {{ status?: number, cause?: unknown }} Why `status` where the auth service itself said no */
  /** @type {(message: string, why: Why) => Error} */
  const fault = (message, { status, cause }) => Object.assign(new Error(message, { cause }), { status });

  const unreadable = (why = {}) => fault('The auth service gave no answer that can be understood', why);

  /** Passes over what says that the session has ended: a 401 of the auth service, and nothing else. @param {any} error */
  function unlessEnded(error) {
    if (error.status !== 401) throw error;
  }

  /** @param {any} stored whatever was found @returns {Session | null} */
  function toSession({ sessionKey, user }) {
    const { username, email } = Object(user);
    if (!isText(sessionKey) || !isText(username)) return null;
    return { sessionKey, user: { username, email: isText(email) ? email : '' } };
  }

  const isText = (/** @type {unknown} */ value) => typeof value === 'string' && value !== '';

  /** Whatever is stored, as an object: empty for what is missing or broken. @param {string} key @returns {Record<string, any>} */
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
      // What stands there is out of date.
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
      // Where nothing may be stored, nothing is.
    }
  }

  return /** @satisfies {typeof import('./service-auth.d.ts').ServiceAuth} */ (ServiceAuth);
})();
