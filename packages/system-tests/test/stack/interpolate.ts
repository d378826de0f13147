const START = /\$\$|\$\{([A-Z_0-9]+)(?:(:[-?+])|(?=\}))/y;

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `${NAME:+value}`, nested ones too, and `$$` by `$`, as Docker
 * Compose does.
 *
 * @throws Error for a required variable without a value
 */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  const { result, end } = readUntil(text.length, text, 0, env);
  if (end !== text.length) throw new Error(`${text} has an unmatched brace`);
  return result;
}

interface Part {
  result: string;
  /** Where the part ends in the text. */
  end: number;
}

/** Reads to `stop`: a position, or the next closing brace outside of inner variables. */
function readUntil(stop: number | '}', text: string, start: number, env: Readonly<Record<string, string>>): Part {
  let result = '';
  let at = start;
  while (at < text.length && at !== stop && text.charAt(at) !== stop) {
    START.lastIndex = at;
    const found = START.exec(text);
    if (found === null) {
      result += text.charAt(at);
      at += 1;
      continue;
    }
    const [match, name, operator] = found;
    if (name === undefined) {
      result += '$';
      at += match.length;
      continue;
    }
    const word = readUntil('}', text, at + match.length, env);
    result += substitute(name, operator, env[name] ?? '', word.result);
    at = word.end + 1;
  }
  return { result, end: at };
}

function substitute(name: string, operator: string | undefined, value: string, word: string): string {
  if (operator === ':+') return value === '' ? '' : word;
  if (value !== '') return value;
  if (operator === ':?') throw new Error(`${name}: ${word}`);
  return operator === ':-' ? word : '';
}
