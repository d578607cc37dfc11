import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

const deflated = promisify(deflateRaw);

/** How PKZIP's application note numbers deflate. */
const DEFLATE = 8;

/** Bytes per write: smaller chunks cost more in overhead. */
const CHUNK_BYTES = 64 * 1024;

/** As many files as an archive can hold without the 64-bit extension of the format. */
export const MAX_ZIP_FILES = 65_535;

/** Bytes of content that surely fit below the 4 GiB of that format, whatever they compress to, with all names. */
export const MAX_ZIP_CONTENT_BYTES = 4_000_000_000;

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string;
}

/** The bytes of a zip archive, made as they are asked for; compression runs off the event loop. */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  const zip = new Zip((error, data) => {
    if (error !== null) throw error;
    parts.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    size += data.byteLength;
  });
  for await (const { name, content } of entries) {
    const bytes = Buffer.from(content);
    const file: ZipInputFile = {
      filename: name,
      size: bytes.length,
      crc: crc32(bytes),
      compression: DEFLATE,
    };
    const packed = await deflated(bytes);
    zip.add(file);
    file.ondata?.(null, packed, true);
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  zip.end();
  yield Buffer.concat(parts);
}
