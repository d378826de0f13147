/** Scheme and user, hosts, and the rest. */
const PARTS = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/is;

/** The URL of each host of a URL that lists several ones, such as `amqp://user:password@a:5672,b:5672/vhost`. */
export function hostUrls(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  return hosts.split(',').length === 1 ? [url] : hosts.split(',').map((host) => start + host + rest);
}

/** The hosts of one server, in random order, so that clients spread over them. */
export class HostRotation {
  readonly #urls: string[];

  constructor(url: string) {
    this.#urls = shuffled(hostUrls(url));
  }

  /** In the order in which they are to be tried. */
  get urls(): readonly string[] {
    return [...this.#urls];
  }

  get isSingle(): boolean {
    return this.#urls.length === 1;
  }

  moveToEnd(url: string): void {
    const index = this.#urls.indexOf(url);
    if (index >= 0) this.#urls.push(...this.#urls.splice(index, 1));
  }
}

function shuffled(urls: readonly string[]): string[] {
  return urls
    .map((url) => ({ url, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ url }) => url);
}
