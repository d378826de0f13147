/**
 * The effect of utility classes of common style sheets on an element's text. Widths are those of a desktop browser: of two
 * variants of one value, a page shows the one for large screens.
 */
export interface ClassEffects {
  isHidden: boolean;
  /** A glyph of an icon font: its text, if any, is a ligature. */
  isIcon: boolean;
  /** Stands beside a value without being part of it. */
  isBadge: boolean;
  /** Grey text beside or below a value. */
  isSecondary: boolean;
  /** Has a margin on the line, which separates it like white space. */
  isSpaced: boolean;
  display: 'block' | 'inline' | undefined;
  /** How the children of the element are laid out, when that is not the usual flow. */
  children: 'stacked' | 'beside' | undefined;
}

const WIDTHS: Readonly<Record<string, number>> = { sm: 1, md: 2, lg: 3, xl: 4, xxl: 5, '2xl': 5 };
const VALUES = 'none|hidden|block|inline|inline-block|flex|inline-flex|grid|table|table-cell|table-row|contents';

/** `d-md-none` (Bootstrap), `md:hidden` (Tailwind), each with the width from which it counts. */
const DISPLAY_CLASSES = [
  new RegExp(`^(?:d-)(?:(sm|md|lg|xl|xxl)-)?(${VALUES})$`),
  new RegExp(`^(?:(sm|md|lg|xl|2xl):)?(?:tw-)?!?(${VALUES})$`),
];
const SCREEN_READER_CLASS = /^(?:(sm|md|lg|xl|2xl):)?(not-)?sr-only$/;

/** Classes that hide on a large screen, whatever the style sheet calls them. */
const HIDING: readonly RegExp[] = [
  /^(?!.*(?:overflow|scroll|backface|border|outline|not-|:))(?:[a-z0-9]+[-_]{1,2})*(?:hidden|hide|invisible|(?:sr|screen-?reader)-?only|screen-?reader(?:-text)?|visually-?hidden|assistive-text|off-?screen|cloak|display-none|a11y-only|for-sr|print-only)$/i,
  /^(?:visuallyhidden|dn|uk-hidden-visually|visually-hidden-focusable|sr-only-focusable)$/,
  /^hidden-(?:lg|print-only)$|^visible-(?:xs|sm|md|print)(?:-(?:inline|block|inline-block))?$/,
  /^hidden-(?:xs|sm|md|lg)-(?:and-)?up$|^hidden-xl-(?:and-)?down$|^hidden-lg-only$/,
  /^is-hidden-(?:tablet|desktop|widescreen|fullhd)$/,
  /^(?:hide-for-(?:medium|large)|show-for-(?:small|medium)-only|hide-on-(?:large-only|med-and-up))$/,
  /^uk-hidden@[a-z]+$/,
  /^tooltip-?(?:text|content)$|^tooltip$/,
];

/** Hidden unless another class opens it. */
const CLOSED: Readonly<Record<string, RegExp>> = {
  collapse: /^(?:show|in|open|visible)$/,
  'tab-pane': /^(?:active|show)$/,
  'tab-content-item': /^active$/,
  'carousel-item': /^active$/,
  'dropdown-menu': /^(?:show|open)$/,
  modal: /^(?:show|in|open|is-active)$/,
  offcanvas: /^show(?:ing)?$/,
  popover: /^show$/,
  fade: /^(?:show|in|active)$/,
};

const ICON =
  /^(?:material-icons(?:-.*)?|material-symbols-.*|mat-icon|mdi|fa[srlbdt]?|fa-(?:solid|regular|brands|light|thin|duotone)|glyphicon|bi|la[srb]?|icofont|lnr|octicon|feather|icons?|iconify|svg-icon|ligature|[vq]-icon|anticon|el-icon|pi|emoji-icon|(?:Mui|mantine-)Avatar-\w+|chakra-avatar(?:__\w+)?|(?:[a-z0-9]+[-_]{1,2})*(?:avatar|initials)(?:-(?:xs|sm|md|lg|xl|\d+))?)$/;
const BADGE =
  /^(?:(?:[a-z0-9]+[-_]{1,2})*(?:badge|chip|btn)(?:[-_].*)?|(?:[a-z0-9]+[-_]{1,2})*(?:lozenge|ribbon|flair|pill)|tag|(?:el|ant|v|p)-tag|label-\w+|uk-label|MuiChip-.*|Label(?:--.*)?)$/i;
const SECONDARY =
  /^(?:text-)?muted$|^text-(?:body-)?(?:secondary|tertiary)$|^(?:[a-z]+[-_]{1,2})*(?:publisher|developer|studio|subtitle|sub-?title|secondary|caption|subheader|meta)$|^text-(?:gray|slate|zinc|neutral|stone)-[3-6]00$/;
const SPACED = /^(?:[a-z0-9]+:)?m[lrsex]-(?:[1-9]|px|auto|\[)/;
const STACKING = /^(?:flex-col(?:umn)?|vstack|grid|d-grid|stack|is-flex-direction-column)$/;
const BESIDE = /^(?:d-)?(?:inline-)?flex$|^hstack$|^is-flex$/;

const known = new Map<string, ClassEffects>();
const MAX_KNOWN = 10_000;
const MAX_CLASSES = 40;

export function effectsOf(classes: string | undefined): ClassEffects {
  const key = classes ?? '';
  let effects = known.get(key);
  if (effects === undefined) {
    effects = computeEffects(key.split(/\s+/, MAX_CLASSES).filter((name) => name !== ''));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, effects);
  }
  return effects;
}

function computeEffects(classes: readonly string[]): ClassEffects {
  const has = (pattern: RegExp) => classes.some((name) => pattern.test(name));
  const display = displayOf(classes);
  const isClosed = classes.some((name) => {
    const opener = Object.hasOwn(CLOSED, name) ? CLOSED[name] : undefined;
    return opener !== undefined && !has(opener);
  });
  const isScreenReaderOnly = screenReaderOnly(classes);
  const isPill = has(/^rounded/) && has(/^bg-/) && has(/^px?-/);
  return {
    isHidden:
      display === 'none' || isClosed || isScreenReaderOnly || (display === undefined && hidesOtherwise(classes)),
    isIcon: has(ICON),
    isBadge:
      (has(BADGE) && !classes.includes('btn-link')) || isPill || (classes.includes('ui') && classes.includes('label')),
    isSecondary: has(SECONDARY),
    isSpaced: has(SPACED),
    display: display === 'none' ? undefined : display,
    children: has(STACKING) ? 'stacked' : has(BESIDE) ? 'beside' : undefined,
  };
}

function hidesOtherwise(classes: readonly string[]): boolean {
  return classes.some((name) => !name.endsWith('sr-only') && HIDING.some((pattern) => pattern.test(name)));
}

/** The display of the widest variant that a large screen meets. */
function displayOf(classes: readonly string[]): 'none' | 'block' | 'inline' | undefined {
  let [width, display]: [number, string | undefined] = [-1, undefined];
  for (const name of classes) {
    for (const pattern of DISPLAY_CLASSES) {
      const match = pattern.exec(name);
      if (match === null) continue;
      const from = WIDTHS[match[1] ?? ''] ?? 0;
      if (from >= width) [width, display] = [from, match[2]];
    }
  }
  if (display === undefined) return undefined;
  if (display === 'none' || display === 'hidden') return 'none';
  return /^inline|^contents$/.test(display) ? 'inline' : 'block';
}

function screenReaderOnly(classes: readonly string[]): boolean {
  let [width, isOnly] = [-1, false];
  for (const name of classes) {
    const match = SCREEN_READER_CLASS.exec(name);
    const from = WIDTHS[match?.[1] ?? ''] ?? 0;
    if (match !== null && from >= width) [width, isOnly] = [from, match[2] === undefined];
  }
  return isOnly;
}

/** Declarations that take an element's text out of sight. */
const HIDING_STYLES: readonly RegExp[] = [
  /(?:^|[;{\s])display:none/,
  /visibility:(?:hidden|collapse)/,
  /(?:^|[;{\s])opacity:0?(?:\.0+)?(?:%|;|!|$)/,
  /font-size:0(?:[a-z%]*)(?:;|!|$)/,
  /content-visibility:hidden/,
  /text-indent:-\d{3,}/,
  /clip:rect\([01](?:px)?[ ,]/,
  /clip-path:inset\((?:50|100)%/,
  /transform:scale[xy]?\(0\)/i,
  /(?:^|[;{\s])color:transparent/,
];
const MOVED_AWAY = /(?:left|right|top|bottom):-\d{3,}/;
const SHRUNK = /(?:^|[;\s])(?:max-)?(?:width|height):[01](?:px|em|rem)?(?:;|!|$)/;

export function stylesHide(declarations: string | undefined): boolean {
  if (declarations === undefined || declarations === '') return false;
  const style = declarations
    .toLowerCase()
    .replace(/\s*([:;,(])\s*/g, '$1')
    .trim();
  if (HIDING_STYLES.some((pattern) => pattern.test(style))) return true;
  if (MOVED_AWAY.test(style) && /position:(?:absolute|fixed)/.test(style)) return true;
  return SHRUNK.test(style) && style.includes('overflow:hidden');
}

/** The display that an inline style sets, like {@link ClassEffects}. */
export function displayOfStyle(declarations: string | undefined): 'block' | 'inline' | undefined {
  const [, display = ''] = /(?:^|;)\s*display\s*:\s*([a-z-]+)/i.exec(declarations ?? '') ?? [];
  if (display === '' || display === 'none') return undefined;
  return /^inline|^contents$/.test(display) ? 'inline' : 'block';
}

const MAX_SHEET_LENGTH = 200_000;

/** The plain selectors (`.x`, `td.x`, `#x`) that the page's own style sheets hide outside of `@media`. */
export function hiddenBySheets(sheets: readonly string[]): ReadonlySet<string> {
  const hidden = new Set<string>();
  const css = sheets
    .join('\n')
    .slice(0, MAX_SHEET_LENGTH)
    .replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, '');
  let [depth, from, selectors] = [0, 0, ''];
  for (let at = 0; at < css.length; at += 1) {
    const character = css[at];
    if (character === '{') {
      if (depth === 0) [selectors, from] = [css.slice(from, at), at + 1];
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      if (!selectors.includes('@') && stylesHide(css.slice(from, at))) {
        for (const [, simple = ''] of selectors.matchAll(/(?:^|,)\s*([a-z0-9]*[.#][\w-]+)\s*(?=,|$)/gi))
          hidden.add(simple);
      }
      from = at + 1;
    } else if (character === ';' && depth === 0) from = at + 1;
  }
  return hidden;
}
