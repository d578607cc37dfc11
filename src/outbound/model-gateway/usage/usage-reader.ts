import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import { MEBIBYTE } from '../../../kernel/common';
import type { Protocol } from '../protocol/protocols';
import type { AnswerRoom } from './answer-memory';
import { EventPieces } from './event-pieces';
import { GatheredBytes, KEPT_END } from './gathered-bytes';
import { readableJson } from './readable-json';
import { SeenAnswer, type SeenUsage } from './seen-answer';

/** A longer answer is not parsed: it is one of embeddings, or has pictures or sounds in it. */
const MOST_JSON = 2 * MEBIBYTE;
/** What is unpacked of an answer that came compressed, though it was asked for as it is; more is not looked at. */
const MOST_UNPACKED = 32 * MEBIBYTE;

const USAGE = /"usage"\s*:\s*(\{(?:[^{}]|\{[^{}]*\})*\})/g;

/** What an event has in it that says something; all others are passed by. */
const TELLING = /"(?:usage|error|choices|delta|content|output)"/;

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** How an answer comes. */
interface AnswerForm {
  readonly protocol: Protocol;
  readonly isStream: boolean;
  /** The `Content-Encoding`; undefined for none. */
  readonly encoding: string | undefined;
  /** Whether the piece of a stream that has only the usage is left out, because the caller did not ask for it. */
  readonly dropsUsage: boolean;
}

/** Reads the usage from a copy of what passes, with a bound on its memory. What passes is not changed, but for that piece. */
export class UsageReader {
  private readonly answer: SeenAnswer;
  private readonly events: EventPieces | null;
  private readonly unpacker: Transform | null;
  private readonly filters: boolean;
  private unpacked = 0;
  private readonly json = new GatheredBytes();
  private isLong = false;
  private saidAt = performance.now();

  /** @param room memory for what is kept of the answer, until its usage is asked for */
  constructor(
    { protocol, isStream, encoding, dropsUsage }: AnswerForm,
    private readonly room: AnswerRoom,
  ) {
    this.answer = new SeenAnswer(protocol);
    this.events = isStream
      ? new EventPieces(
          (data) => this.noteEvent(data, dropsUsage),
          (end, bytes) => this.noteEnd(end, bytes),
          (bytes) => room.holds(bytes),
        )
      : null;
    const name = encoding?.trim().toLowerCase() ?? 'identity';
    const isPlain = name === 'identity' || name === '';
    this.filters = isPlain && isStream && dropsUsage;
    this.unpacker = isPlain ? null : (UNPACKERS.get(name)?.() ?? null);
    this.unpacker?.on('data', (bytes: Buffer) => this.takeUnpacked(bytes)).on('error', () => undefined);
    if (!isPlain && this.unpacker === null) this.isLong = true;
  }

  /**
   * Takes a piece that came.
   * @returns what of it, and of what was held back, goes on to the caller; null for nothing yet
   */
  push(chunk: Buffer): Buffer | null {
    if (this.events === null) this.saidAt = performance.now();
    if (this.unpacker !== null) {
      // Written to without waiting: what is not unpacked yet is bounded by what passes between two turns of the loop.
      if (this.unpacked < MOST_UNPACKED) this.unpacker.write(chunk);
      else this.answer.noteUnread(chunk.length);
      return chunk;
    }
    const passed = this.take(chunk);
    return this.filters ? passed : chunk;
  }

  /** What was held back and goes on, at the end of the answer; null for nothing. */
  rest(): Buffer | null {
    const rest = this.events?.rest() ?? null;
    return this.filters ? rest : null;
  }

  /**
   * The usage, once the answer has ended, however it did.
   * @param input tokens of the call as they are estimated
   */
  async usage(input: number): Promise<SeenUsage> {
    await this.unpackRest();
    if (this.events === null) this.readJson();
    else this.events.rest();
    this.room.holds(0);
    return this.answer.usage(input);
  }

  /** Whether the answer has said nothing that could have cost something; known once it has ended. */
  get isEmpty(): boolean {
    return this.answer.isEmpty;
  }

  /** When the answer last said something: comments and other signs of life of a stream say nothing. */
  get lastSaidAt(): number {
    return this.saidAt;
  }

  private take(bytes: Buffer): Buffer | null {
    if (this.events !== null) return this.events.push(bytes);
    this.json.add(bytes);
    if (!this.room.holds(this.json.allocated) || this.json.length > MOST_JSON) {
      const all = this.json.take();
      this.json.add(all.subarray(all.length - KEPT_END));
      this.answer.noteUnread(all.length - KEPT_END);
      this.isLong = true;
    }
    return null;
  }

  private takeUnpacked(bytes: Buffer): void {
    this.unpacked += bytes.length;
    if (this.unpacked > MOST_UNPACKED) this.unpacker?.destroy();
    else this.take(bytes);
  }

  private async unpackRest(): Promise<void> {
    const { unpacker } = this;
    if (unpacker === null || unpacker.destroyed) return;
    await new Promise<void>((resolve) => {
      unpacker
        .once('end', resolve)
        .once('error', () => resolve())
        .once('close', resolve);
      unpacker.end();
    });
  }

  private noteEvent(data: string, dropsUsage: boolean): boolean {
    if (!TELLING.test(data)) return false;
    this.saidAt = performance.now();
    const isOnlyUsage = this.noteText(data);
    return dropsUsage && isOnlyUsage;
  }

  private readJson(): void {
    if (this.json.length === 0) return;
    const bytes = this.json.take();
    if (this.isLong) this.noteEnd(bytes.toString(), bytes.length);
    else this.noteText(bytes.toString());
  }

  /** @returns whether it is a piece that has nothing but the usage */
  private noteText(text: string): boolean {
    const piece = readableJson(text);
    if (piece !== null) return this.answer.note(piece);
    this.noteEnd(text.slice(-KEPT_END), Buffer.byteLength(text));
    return false;
  }

  /** @param bytes what it counts for where it reports nothing */
  private noteEnd(end: string, bytes: number): void {
    this.saidAt = performance.now();
    this.answer.noteUnread(bytes);
    const found = [...end.matchAll(USAGE)].at(-1)?.[1];
    if (found !== undefined) this.answer.noteUsage(readableJson(found));
  }
}
