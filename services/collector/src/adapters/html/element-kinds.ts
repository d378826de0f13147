export const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'head']);

/** Elements that stay within a line; every other one ends the line before it. */
export const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data em font i kbd mark q s small span strong sub sup time u var'.split(' '),
);
