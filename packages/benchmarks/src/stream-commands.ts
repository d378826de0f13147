/** Commands of the benchmark to a stream server. */
export type ServerCommand =
  { readonly do: 'say'; readonly number: number; readonly text: string } | { readonly do: 'weigh' };

/** URL of the server, the start of a broadcast (`process.hrtime`, comparable between processes), or its resident memory. */
export type ServerReply = { readonly url: string } | { readonly began: string } | { readonly bytes: number };

/** Commands of the benchmark to the process of the readers. */
export type ReadersCommand =
  | { readonly do: 'connect'; readonly name: string; readonly url: string; readonly count: number }
  | { readonly do: 'expect'; readonly name: string }
  | { readonly do: 'hang up'; readonly name: string };

/** The number of connected readers, or when the last reader received the event, with its text. */
export type ReadersReply = { readonly connected: number } | { readonly last: string; readonly text: string };
