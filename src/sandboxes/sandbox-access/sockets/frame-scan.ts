const CLOSE = 0x8;
const CONTROL = 0x8;
const MASK_BYTES = 4;
const LONGEST_HEADER = 14;

/**
 * Tracks the frames of one direction of a WebSocket (RFC 6455, 5.2) without reading or buffering their payload, to find
 * boundaries where the service may insert a frame, and the close frame.
 */
export class FrameScan {
  /** Whether a data frame has begun since this was last set to false. */
  sawData = false;
  private readonly header = Buffer.alloc(LONGEST_HEADER);
  private headerBytes = 0;
  private payloadLeft = 0;

  /** Whether the bytes so far end at a frame boundary. */
  get isBetweenFrames(): boolean {
    return this.headerBytes === 0 && this.payloadLeft === 0;
  }

  /**
   * Advances to the end of the chunk, or to the start of a close frame.
   * @returns the bytes before that; all of them without a close frame
   */
  advance(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length) {
      if (this.payloadLeft > 0) {
        const skipped = Math.min(this.payloadLeft, chunk.length - at);
        this.payloadLeft -= skipped;
        at += skipped;
        continue;
      }
      const byte = chunk[at] ?? 0;
      if (this.headerBytes === 0) {
        const opcode = byte & 0x0f;
        if (opcode === CLOSE) return at;
        if (opcode < CONTROL) this.sawData = true;
      }
      this.header[this.headerBytes++] = byte;
      at++;
      this.readHeader();
    }
    return at;
  }

  private readHeader(): void {
    if (this.headerBytes < 2) return;
    const second = this.header[1] ?? 0;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskBytes = (second & 0x80) === 0 ? 0 : MASK_BYTES;
    if (this.headerBytes < 2 + lengthBytes + maskBytes) return;
    this.headerBytes = 0;
    if (lengthBytes === 0) this.payloadLeft = short;
    else if (lengthBytes === 2) this.payloadLeft = this.header.readUInt16BE(2);
    // No connection lives long enough for a length beyond 2^53.
    else this.payloadLeft = Number(this.header.readBigUInt64BE(2));
  }
}
