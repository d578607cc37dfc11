import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { type Headers, pack } from 'tar-stream';

export type PackedFile = readonly [header: Partial<Headers> & { readonly name: string }, content?: string];

/** A package as registries have it. */
export async function packed(files: readonly PackedFile[]): Promise<Buffer> {
  const archive = pack();
  for (const [header, content = ''] of files) archive.entry(header, content);
  archive.finalize();
  return buffer(archive.pipe(createGzip()));
}

export function integrityOf(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`;
}

/** A registry with one package, for the npm of this machine. */
export class NpmRegistry {
  /** What it sends for the package. */
  content: Buffer = Buffer.alloc(0);

  /** The integrity it says that the package has. Default: that of the content. */
  saidIntegrity: string | null = null;

  /** The paths of what was asked for. */
  readonly asked: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(name: string, version: string): Promise<NpmRegistry> {
    const server = createServer();
    const registry = new NpmRegistry(server);
    server.on('request', (request, response) => {
      registry.asked.push(decodeURIComponent(request.url ?? ''));
      if (request.url?.endsWith('.tgz') === true) {
        response.end(registry.content);
        return;
      }
      const tarball = `${registry.url}/${name}/-/package-${version}.tgz`;
      const dist = { tarball, integrity: registry.saidIntegrity ?? integrityOf(registry.content) };
      const versions = { [version]: { name, version, dist } };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
