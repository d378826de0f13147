/** The rules of a robots.txt for one crawler. */
export interface RobotsRules {
  /** `path` with its query. */
  allows(path: string): boolean;
  /** The least time between two requests; 0 without one. */
  delayMs: number;
}

interface Rule {
  isAllowed: boolean;
  pattern: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
  delaySeconds: number;
}

/** Longer files are cut, as RFC 9309 permits. */
const MAX_CHARACTERS = 512 * 1024;
const MAX_DELAY_SECONDS = 3600;
/** Matching takes time in proportion to the wildcards. */
const MAX_WILDCARDS = 16;

/**
 * Reads a robots.txt (RFC 9309) with `Crawl-delay`. Groups that name the product apply, else those of `*`. The longest
 * rule that matches decides, `Allow` before `Disallow`.
 *
 * @param product the name in the User-Agent, in any case
 */
export function parseRobots(text: string, product: string): RobotsRules {
  const groups = groupsOf(text.slice(0, MAX_CHARACTERS));
  const named = groups.filter(({ agents }) => agents.includes(product.toLowerCase()));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const rules = own.flatMap((group) => group.rules);
  return {
    delayMs: Math.max(0, ...own.map(({ delaySeconds }) => delaySeconds)) * 1000,
    allows(path) {
      if (path === '/robots.txt') return true;
      const matching = rules.filter(({ pattern }) => matches(pattern, normalised(path)));
      const longest = Math.max(0, ...matching.map(({ pattern }) => pattern.length));
      const deciding = matching.filter(({ pattern }) => pattern.length === longest);
      return deciding.length === 0 || deciding.some(({ isAllowed }) => isAllowed);
    },
  };
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let isHead = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const [name, content] = [field.toLowerCase(), value.trim()];
    const group = groups.at(-1);
    if (name === 'user-agent') {
      const agent = /^[a-z_-]+|\*/i.exec(content)?.[0].toLowerCase() ?? '';
      if (isHead) group?.agents.push(agent);
      else groups.push({ agents: [agent], rules: [], delaySeconds: 0 });
      isHead = true;
    } else if (group !== undefined && /^(?:dis)?allow$/.test(name)) {
      isHead = false;
      // An empty Disallow allows everything.
      if (content !== '') group.rules.push({ isAllowed: name === 'allow', pattern: normalised(content) });
    } else if (group !== undefined && name === 'crawl-delay') {
      isHead = false;
      const seconds = /^\d{1,6}(?:\.\d{1,3})?$/.test(content) ? Number(content) : 0;
      group.delaySeconds = Math.min(Math.max(group.delaySeconds, seconds), MAX_DELAY_SECONDS);
    }
  }
  return groups;
}

/** `*` matches any characters, a final `$` the end. */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$');
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*', MAX_WILDCARDS);
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  if (others.length === 0) return !isAnchored || path === first;
  let position = first.length;
  for (const [index, part] of others.entries()) {
    if (isAnchored && index === others.length - 1) {
      return path.length - part.length >= position && path.endsWith(part);
    }
    const found = path.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return true;
}

/** One spelling of a path: escapes of characters that need none are decoded, others have capital letters. */
function normalised(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}
