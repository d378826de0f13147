/** As much of jsdom as the tests use: it brings no types. */
declare module 'jsdom' {
  export class VirtualConsole {
    on(event: 'jsdomError', listener: (error: Error) => void): this;
  }

  export class JSDOM {
    constructor(html: string, options: { url: string; runScripts: 'outside-only'; virtualConsole: VirtualConsole });
    readonly window: Record<string, unknown> & {
      eval(script: string): unknown;
      close(): void;
    };
  }
}
