import { atDeadline } from './at-deadline.ts';
import { IncomingBody, type BodySource } from './incoming-body.ts';
import { NoAnswerError, type AnswerUnderWay, type FetchLimits, type WholeAnswer } from './fetch-answer.ts';
import { readPlainHead, type PlainHead } from './plain-head.ts';

/** What it has come to with what has been received: more is to come, the answer is whole, or nothing of it can be used. */
export type Progress = 'more' | 'whole' | 'over';

const HEAD_BYTES_MAX = 16 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** One question and its answer over a connection that carries nothing else meanwhile. */
export class PlainExchange {
  /** The request, as it goes out. */
  readonly text: string;
  readonly #limits: FetchLimits;
  readonly #resolve: (answer: WholeAnswer | AnswerUnderWay) => void;
  readonly #reject: (error: NoAnswerError) => void;
  readonly #deadline: NodeJS.Timeout;
  #source: BodySource | undefined;
  /** What came of a head that is not whole yet. */
  #begun: Buffer | undefined;
  #head: PlainHead | undefined;
  #body: Buffer | undefined;
  #incoming: IncomingBody | undefined;
  #received = 0;
  #isOver = false;

  constructor(
    text: string,
    limits: FetchLimits,
    resolve: (answer: WholeAnswer | AnswerUnderWay) => void,
    reject: (error: NoAnswerError) => void,
  ) {
    this.text = text;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadline = atDeadline(limits.timeoutMs, () => {
      const reason = this.#source === undefined ? 'unsent' : 'late';
      if (this.#incoming === undefined)
        this.fail(new NoAnswerError(reason, `no whole answer within ${limits.timeoutMs} ms`));
    });
  }

  /** Whether nobody waits for it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it is to be sent after it has waited for a connection; if not it has failed. */
  get isWanted(): boolean {
    if (this.#isOver) return false;
    if (this.#limits.isWanted?.() !== false) return true;
    this.fail(new NoAnswerError('unwanted', 'fewer are asked at once by now'));
    return false;
  }

  /** Whether the connection can't be used for another. */
  get isLast(): boolean {
    return this.#head?.isLast ?? true;
  }

  /** It has gone out over a connection. */
  sentOver(source: BodySource): void {
    this.#source = source;
  }

  /** @param bytes are only there for the time of the call */
  receive(bytes: Buffer): Progress {
    if (this.#head !== undefined) return this.#receiveBody(bytes);
    const all = this.#begun === undefined ? bytes : Buffer.concat([this.#begun, bytes]);
    const end = all.indexOf(END_OF_HEAD);
    if (end === -1 && all.length <= HEAD_BYTES_MAX) {
      this.#begun = Buffer.from(all);
      return 'more';
    }
    const head = end === -1 ? undefined : readPlainHead(all.toString('latin1', 0, end));
    if (head === undefined) return this.fail(new NoAnswerError('intricate', 'no plain answer'));
    this.#head = head;
    const { status, headers, length } = head;
    const { maxBytes, streamedFrom = Infinity, streamMs } = this.#limits;
    if (status === 200 && length >= streamedFrom && this.#source !== undefined) {
      clearTimeout(this.#deadline);
      this.#incoming = new IncomingBody(this.#source, streamMs);
      this.#resolve({ status, headers, incoming: this.#incoming, length });
    } else if (length > maxBytes) {
      return this.fail(new NoAnswerError('unusable', `an answer of more than ${maxBytes} bytes`));
    } else {
      this.#body = Buffer.allocUnsafeSlow(length);
    }
    return this.#receiveBody(all.subarray(end + END_OF_HEAD.length));
  }

  /** The connection is gone. */
  closed(cause: Error | undefined): void {
    const isUnanswered = this.#head === undefined && this.#begun === undefined;
    const reason = this.#source !== undefined && isUnanswered ? 'broken' : 'unusable';
    this.fail(new NoAnswerError(reason, cause?.message ?? 'the connection was closed', { cause }));
  }

  /** Nothing more is wanted of it. */
  fail(error: NoAnswerError): 'over' {
    if (this.#isOver) return 'over';
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#incoming?.destroy(error);
    this.#reject(error);
    this.#source?.abort(error);
    return 'over';
  }

  #receiveBody(bytes: Buffer): Progress {
    const { length = 0, status = 0, headers = {} } = this.#head ?? {};
    const before = this.#received;
    this.#received += bytes.length;
    // Nobody has asked for what comes behind an answer.
    if (this.#received > length) return this.fail(new NoAnswerError('unusable', 'more than an answer'));
    if (this.#incoming !== undefined) this.#incoming.receive(Buffer.from(bytes));
    else if (this.#body !== undefined) bytes.copy(this.#body, before);
    if (this.#isOver) return 'over';
    if (this.#received < length) return 'more';
    this.#isOver = true;
    clearTimeout(this.#deadline);
    if (this.#incoming !== undefined) this.#incoming.finish();
    else if (this.#body !== undefined) this.#resolve({ status, headers, body: this.#body });
    return 'whole';
  }
}
