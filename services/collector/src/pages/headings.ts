/**
 * The meanings of columns by their whole headings. Each meaning lists the headings that name it; patterns of a meaning are
 * tried in order, and the first that any heading of the table fits decides. Two headings that fit it are ambiguous.
 */
const HEADINGS = {
  title: [
    /^(?:games?|titles?|(?:game|title)(?: |\/)?(?:title|name)?|name|game ?[/&] ?publisher|title ?[/&] ?publisher)$/,
  ],
  titleId: [
    /^(?:(?:title|game) ?id|id|serial|code|product code|serial(?: number)?|(?:serial|code|product code) ?[/&] ?(?:title )?id|ids?)$/,
  ],
  publisher: [/^(?:publisher|published by)$/],
  online: [
    /^(?:(?:users?|players?|gamers|people|members|currently|now) online(?: now)?|(?:currently )?online(?: (?:users?|players?|gamers|people|now|count))?|(?:users|players) online)$/,
    /^(?:users|players|current (?:users|players))$/,
  ],
  activity: [
    /^(?:activity|current activity|sessions?|active(?: (?:users|players|games|sessions|matches|now))?|(?:players )?in (?:sessions?|games?)|playing(?: now)?|matches|lobbies)$/,
  ],
  host: [
    /^(?:host|hosts|hosted by|host ?name|(?:session|lobby|match|game) host|host (?:player|gamertag))$/,
    /^(?:gamertag|creator|owner|leader|player)$/,
  ],
  players: [
    /^(?:players?|users|player count|players online|current players|players? in (?:game|session|match|lobby)|players ?\/ ?max(?:imum)?|filled(?: slots)?|(?:# ?)?(?:of )?players)$/,
    /^(?:slots|size)$/,
  ],
  maxPlayers: [
    /^(?:max(?:imum)?\.?(?: (?:players|slots|users))?|(?:players|slots) max(?:imum)?|capacity|player limit|limit|total(?: (?:players|slots))?)$/,
  ],
  rank: [/^(?:rank|#|pos|position|place|no|nr|standing|ranking)$/],
  name: [
    /^(?:name|(?:player|user) ?name|player|gamer ?tag|gamer|user)$/,
    /^(?:driver|racer|pilot|competitor|contestant|participant|member|nick(?:name)?|callsign)$/,
  ],
  time: [/^(?:(?:best|fastest|total|race|finish|record|clear|completion) )?(?:(?:lap )?time|lap)$/],
  score: [
    /^(?:(?:best|total|high|top|overall|final) )?(?:score|rating|kudos|points)$|^(?:hi|high)[- ]?scores?$|^pts$/,
    /^(?:(?:total |highest )?(?:level|wins|victories|kills|skill|xp|experience|trueskill))$/,
  ],
} satisfies Record<string, readonly RegExp[]>;

export type Meaning = keyof typeof HEADINGS;

/** Index of the column with this meaning; undefined for none, `several` if two headings fit equally. */
export function columnOf(header: readonly string[], meaning: Meaning): number | 'several' | undefined {
  for (const pattern of HEADINGS[meaning]) {
    const fitting = header.flatMap((heading, index) => (pattern.test(heading) ? [index] : []));
    if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : 'several';
  }
  return undefined;
}

/** A heading without arrows of sorting, a final colon or point, in lower case. */
export function normalizeHeading(text: string): string {
  return text
    .replace(/[\u2190-\u21FF\u25A0-\u25FF\u2B00-\u2BFF\u2303\u2304]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.:]+$/, '')
    .toLowerCase();
}

const TOTAL = /^(?:(?:grand|sub)?[ -]?totals?|sum|overall|all (?:games|titles|players)|average)\s*:?$/i;

/** Whether a row's label says that it sums up the others. */
export function namesTotal(text: string): boolean {
  return TOTAL.test(text);
}
