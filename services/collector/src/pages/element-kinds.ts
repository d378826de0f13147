export const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'head']);

/** Inline elements; every other element separates texts. */
export const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data em font i kbd mark q s small span strong sub sup time u var'.split(' '),
);
