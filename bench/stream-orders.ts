/** What the benchmark's parent tells a server of streams. */
export type ServerOrder =
  { readonly do: 'say'; readonly number: number; readonly text: string } | { readonly do: 'weigh' };

/** What it answers: where it listens, when it began to say (`process.hrtime`, of the machine), what it weighs. */
export type ServerReply = { readonly url: string } | { readonly began: string } | { readonly bytes: number };

/** What the parent tells the process of the readers. */
export type ReadersOrder =
  | { readonly do: 'connect'; readonly name: string; readonly url: string; readonly count: number }
  | { readonly do: 'expect'; readonly name: string }
  | { readonly do: 'hang up'; readonly name: string };

/** What it answers: so many are connected; or when the last of them had the event, and its text as one reader had it. */
export type ReadersReply = { readonly connected: number } | { readonly last: string; readonly text: string };
