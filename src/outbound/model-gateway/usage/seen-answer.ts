import { isRecord } from '../../../kernel/common';
import type { Protocol } from '../protocol/protocols';
import { type Tokens, usageIn, writtenBytes } from './reported-usage';

/** About as many bytes of text are one token. */
const BYTES_PER_TOKEN = 4;

/** What a call is settled by. */
export interface SeenUsage {
  readonly tokens: Tokens;
  /** Tokens of the text that was read, as they are estimated. */
  readonly read: number;
  /** Whether the provider said how much it was, at least of what the model wrote. */
  readonly isReported: boolean;
  /** Whether the provider said so at the end of the answer, after which nothing is counted any more. */
  readonly isFinal: boolean;
  /** Whether the answer has an error of the provider in it, with whatever status. */
  readonly hasError: boolean;
}

/** Events that say at the end of a stream how much it was. */
const FINAL = new Set(['message_delta', 'response.completed', 'response.incomplete', 'response.failed']);

/** Gathers what the pieces of an answer say about its usage. */
export class SeenAnswer {
  private reported: Partial<Tokens> = {};
  private written = 0;
  private unread = 0;
  private hasError = false;
  private isWrong = false;
  private isFinal = false;

  constructor(private readonly protocol: Protocol) {}

  /**
   * Notes a piece of a stream, or a whole answer. Of two usages the last one holds: streams report a growing sum.
   * @returns whether it is that piece of OpenAI's streams that has nothing but the usage
   */
  note(piece: unknown): boolean {
    if (!isRecord(piece)) return false;
    if (isRecord(piece['error']) || typeof piece['error'] === 'string') this.hasError = true;
    const inner = [piece['response'], piece['message']].find(isRecord);
    if (inner !== undefined && isRecord(inner['error'])) this.hasError = true;
    this.noteUsage(piece['usage']);
    this.noteUsage(inner?.['usage']);
    if (isFinal(piece, inner)) this.isFinal = true;
    const { choices } = piece;
    if (this.protocol === 'embeddings') return false;
    this.written += this.writtenIn(piece);
    return Array.isArray(choices) && choices.length === 0 && isRecord(piece['usage']);
  }

  /** Notes a usage that stood alone in what was too long to be read as a whole. */
  noteUsage(usage: unknown): void {
    if (usage === undefined || usage === null) return;
    const found = usageIn(usage);
    this.isWrong = found === null;
    if (found !== null) this.reported = { ...this.reported, ...found };
  }

  /** Notes bytes that were too many to be read. */
  noteUnread(bytes: number): void {
    if (this.protocol !== 'embeddings') this.unread += bytes;
  }

  /**
   * What is settled. What a model wrote counts for at least half of what passed, whatever is reported: a usage of nothing
   * for an answer of a page is wrong.
   * @param input tokens of the call as they are estimated, for an answer that reports none
   */
  usage(input: number): SeenUsage {
    const counted = Math.ceil((this.written + this.unread) / BYTES_PER_TOKEN);
    const { prompt, completion, cacheRead = 0, cacheWrite = 0, cacheWriteLong = 0 } = this.reported;
    const reports = !this.isWrong && (completion !== undefined || this.protocol === 'embeddings');
    return {
      tokens: {
        prompt: prompt ?? input,
        completion: reports
          ? Math.max(completion ?? 0, Math.floor(counted / 2))
          : Math.max(completion ?? 0, counted),
        cacheRead,
        cacheWrite,
        cacheWriteLong,
      },
      read: Math.ceil(this.written / BYTES_PER_TOKEN),
      isReported: reports && prompt !== undefined,
      isFinal: reports && this.isFinal,
      hasError: this.hasError,
    };
  }

  /** Whether the answer has said anything yet: written something, or reported a usage. */
  get isEmpty(): boolean {
    return this.written + this.unread === 0 && Object.keys(this.reported).length === 0;
  }

  private writtenIn(piece: Readonly<Record<string, unknown>>): number {
    const { choices, delta, output, content, type } = piece;
    if (Array.isArray(choices))
      return choices.reduce<number>(
        (sum, choice) => sum + writtenBytes(isRecord(choice) ? (choice['delta'] ?? choice['message']) : null),
        0,
      );
    if (delta !== undefined && type !== 'message_delta') return writtenBytes(delta);
    // A whole answer; streams repeat at their end what they have said before.
    if (type === undefined || type === 'message' || piece['object'] === 'response')
      return writtenBytes(output ?? content ?? null);
    return 0;
  }
}

/** Whether a piece has the usage of the whole answer: a whole answer has, and the last event of a stream with a usage. */
function isFinal(piece: Readonly<Record<string, unknown>>, inner: unknown): boolean {
  const { type, choices, usage } = piece;
  const isLast = typeof type === 'string' && FINAL.has(type);
  if (isRecord(inner) && isRecord(inner['usage'])) return isLast;
  if (!isRecord(usage)) return false;
  // Some say with each piece how much it has been so far.
  if (Array.isArray(choices))
    return choices.every((choice) => isRecord(choice) && isSet(choice['finish_reason']));
  return type === undefined || type === 'message' || isLast;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
