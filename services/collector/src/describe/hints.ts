import type { HtmlSource } from '../sources/descriptions/source-description.ts';

/** What networks call columns, labels and values. These are guesses for proposals, which a person confirms: no reader uses them. */

/** Normalized headings of the columns of a table by field, the likeliest first. */
export const COLUMNS: Record<HtmlSource, Record<string, RegExp[]>> = {
  homepage: {
    titleId: [/\bid\b|serial|code/],
    online: [/\b(?:online|now|current(?:ly)?|live)\b/, /\b(?:playing|active)\b/, /\b(?:users|players|gamers)\b/],
    activity: [/session|activity|match|lobb/, /\bactive\b|\bplaying\b|in game/],
    title: [/\b(?:games?|titles?)\b/, /name|spiel|jeu|juego/],
    publisher: [/publish|studio|developer|company/],
  },
  titles: {
    maxPlayers: [/max|capacity|limit/],
    players: [/players|in game|filled/, /users|members|count|slots|size/],
    host: [/host/, /owner|creator|leader|captain/, /gamertag|player|name|user/],
  },
  leaderboards: {
    rank: [/^(?:rank(?:ing)?|#|no|nr|pos(?:ition)?|place|platz|standing)$/, /rank|position/],
    name: [/name|gamer|player|user/, /driver|racer|pilot|member|competitor|contestant|participant|spieler|joueur/],
    score: [/score|points|pts|rating|kudos|punkte|level|wins|victories|kills|skill|xp|experience|elo|total/],
    time: [/time|\blap|zeit|temps|duration/],
  },
};

/** Headings of tables of finished or planned matches, and of anything else that is no open match. */
export const NOT_OPEN =
  /end(?:ed|s)\b|finish|duration|start|schedul|date|\bwhen\b|since|winner|result|tournament|\bclan|\brank|\bscore|\bwins?\b/;

/** Headings of sections whose table is of another time than now. */
export const PAST =
  /week|month|year|today|yesterday|recent|past|last|history|finished|ended|upcoming|scheduled|all.time|best|top/;

/** Labels, the likeliest first. */
export const LABELS: Record<'counters' | 'metadata', Record<string, RegExp[]>> = {
  counters: {
    online: [/online/, /\bnow\b|current|connected/, /playing|active/],
    registered: [/regist|sign(?:ed)? ?up/, /accounts?|members?|profiles?/, /users|players|gamers/],
  },
  metadata: {
    publisher: [/^(?:publish\w*|studio|company)\b/],
    releaseDate: [/^(?:release\w*|launch(?:ed)?|first released)\b/],
    title: [/^(?:full |original )?(?:title|name|game)$/],
  },
};

/** A sentence that says that there is nothing. */
export const NOTHING =
  /^(?:there (?:are|is) (?:currently |now )?(?:no|nobody)|currently no|no(?:body| one|thing|ne)?|keine?|aucune?)\b[^?.!]{0,100}[.!]?$/i;

/** Ways to write values, besides those that are built in. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  players: ['{players} von {max}', '{players} out of {max}', '({players}/{max})', '{players}/{max} players'],
  rank: ['{rank})', '({rank})', '{rank}º', '{rank}er', '{rank}e', 'No. {rank}', 'Rank {rank}'],
  time: [
    ...[`{m}'{s}"{f}`, `{m}′{s}″{f}`, '{m}m {s}s {ms}ms', '{m}:{s}:{f}', '{s},{f}', '{m}:{s}'],
    ...['{h}:{m}:{s}', '{m}m {s}s', '{m} min {s} s', '{h}h {m}m {s}s', '{s}s'],
  ],
};
