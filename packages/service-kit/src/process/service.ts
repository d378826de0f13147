/** Something that runs, alone in a process or beside others. */
export interface Service {
  readonly name: string;
  /** Where it listens, once it is started. */
  url(): string;
  /** Resolves when it does its work. */
  start(): Promise<void>;
  /** Resolves when what was in hand is finished and everything is closed. */
  stop(): Promise<void>;
}
