/** A field of a message: a number for varints and fixed-width values, bytes for all else. */
type Field = readonly [number: number, value: bigint | Buffer];

/** Reads a message in Protocol Buffers' encoding. */
export class Message {
  private readonly fields: readonly Field[];

  constructor(bytes: Buffer) {
    this.fields = [...fieldsOf(bytes)];
  }

  /** All messages of a repeated field. */
  messages(number: number): Message[] {
    return this.all(number).flatMap((value) => (Buffer.isBuffer(value) ? [new Message(value)] : []));
  }

  text(number: number): string {
    return this.bytes(number).toString('utf8');
  }

  bytes(number: number): Buffer {
    const value = this.all(number)[0];
    return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
  }

  /** Undefined where the field is not there. */
  integer(number: number): bigint | undefined {
    const value = this.all(number)[0];
    return typeof value === 'bigint' ? value : undefined;
  }

  /** Of a fixed-width field. */
  double(number: number): number {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(this.integer(number) ?? 0n);
    return bytes.readDoubleLE();
  }

  private all(number: number): (bigint | Buffer)[] {
    return this.fields.filter((field) => field[0] === number).map(([, value]) => value);
  }
}

function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const wireType = key & 7;
    if (wireType === 0) yield [key >> 3, varint()];
    else if (wireType === 1) {
      yield [key >> 3, bytes.readBigUInt64LE(at)];
      at += 8;
    } else if (wireType === 5) {
      yield [key >> 3, BigInt(bytes.readUInt32LE(at))];
      at += 4;
    } else {
      const length = Number(varint());
      yield [key >> 3, bytes.subarray(at, at + length)];
      at += length;
    }
  }
}
