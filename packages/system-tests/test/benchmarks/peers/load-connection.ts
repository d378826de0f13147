import { connect, type Socket } from 'node:net';

const READ_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('Content-Length: ');
const ZERO = 0x30;

/**
 * A keep-alive connection that sends one request at a time and parses only status and length of the response:
 * the cheapest client that still verifies its responses.
 */
export class LoadConnection {
  readonly #socket: Socket;
  #onAnswer: ((status: number) => void) | undefined;
  #status = 0;
  /** Remaining bytes of the body; -1 while the head is incomplete. */
  #bytesLeft = -1;
  /** The first part of an incomplete head. */
  #head: Buffer | undefined;

  /** @param onFault called once when the connection fails, or for a response without length */
  constructor(port: number, onFault: (error: Error) => void) {
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        // One buffer is reused for all received data.
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    this.#socket.once('error', onFault);
    this.#socket.once('end', () => onFault(new Error('the server closed the connection')));
  }

  /** Sends a whole request; calls `onAnswer` with the status after the last byte of the response. */
  send(request: string, onAnswer: (status: number) => void): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let bodyBytes = chunk.length;
    if (this.#bytesLeft === -1) {
      const head = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk]);
      const end = head.indexOf(HEAD_END);
      if (end === -1) {
        this.#head = Buffer.from(head);
        return;
      }
      this.#head = undefined;
      this.#status = statusIn(head);
      this.#bytesLeft = this.#status === 304 ? 0 : lengthIn(head, end);
      bodyBytes = head.length - end - HEAD_END.length;
    }
    this.#bytesLeft -= bodyBytes;
    if (this.#bytesLeft > 0) return;
    if (this.#bytesLeft < 0 || Number.isNaN(this.#bytesLeft)) {
      this.#socket.destroy(new Error('received something else than one response with a length'));
      return;
    }
    this.#bytesLeft = -1;
    this.#onAnswer?.(this.#status);
  }
}

function statusIn(head: Buffer): number {
  return digit(head, 9) * 100 + digit(head, 10) * 10 + digit(head, 11);
}

function lengthIn(head: Buffer, end: number): number {
  const name = head.indexOf(LENGTH);
  if (name === -1 || name > end) return Number.NaN;
  let length = 0;
  for (let at = name + LENGTH.length; isDigit(head, at); at += 1) length = length * 10 + digit(head, at);
  return length;
}

function isDigit(bytes: Buffer, at: number): boolean {
  const value = digit(bytes, at);
  return value >= 0 && value <= 9;
}

function digit(bytes: Buffer, at: number): number {
  return (bytes[at] ?? 0) - ZERO;
}
