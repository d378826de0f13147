/** Types of jsdom, which has none, as far as tests use it. */
declare module 'jsdom' {
  export class VirtualConsole {
    on(event: 'jsdomError', listener: (error: Error) => void): this;
  }

  export class JSDOM {
    constructor(html: string, options?: { url: string; runScripts: 'outside-only'; virtualConsole: VirtualConsole });
    readonly window: Record<string, unknown> & {
      eval(script: string): unknown;
      close(): void;
    };
  }
}
