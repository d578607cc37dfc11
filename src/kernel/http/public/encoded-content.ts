import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** The highest that takes a fraction of a second for some megabytes. */
const BROTLI_QUALITY = 6;

const ENCODERS = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
} as const;

type Encoding = keyof typeof ENCODERS;

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** What is the same for everybody, in the best encoding its client accepts. Each is made once, at the first request. */
export class EncodedContent {
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();
  private readonly plain: Buffer;

  constructor(content: string | Buffer) {
    this.plain = Buffer.from(content);
  }

  /** Answers a request with it, or that it is as the client has it; type and caching are the caller's. */
  async send(request: Request, response: Response): Promise<void> {
    response.vary('Accept-Encoding');
    const encoding = ENCODINGS.find((each) => request.acceptsEncodings(each) === each);
    if (encoding === undefined) {
      response.send(this.plain);
      return;
    }
    const content = await this.in(encoding);
    response.set('Content-Encoding', encoding).send(content);
  }

  private in(encoding: Encoding): Promise<Buffer> {
    const known = this.encoded.get(encoding) ?? ENCODERS[encoding](this.plain);
    this.encoded.set(encoding, known);
    return known;
  }
}
