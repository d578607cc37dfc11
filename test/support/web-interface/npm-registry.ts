import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
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

/** A package that a registry has. */
export interface RegistryPackage {
  readonly name: string;
  readonly version: string;
  readonly content: Buffer;
}

/** A registry with some packages, for the npm of this machine. */
export class NpmRegistry {
  /** The packages it has. */
  packages: readonly RegistryPackage[] = [];

  /** The integrity it says that packages have. Default: that of their content. */
  saidIntegrity: string | null = null;

  /** A package is sent after this. */
  sendsAfter: Promise<void> = Promise.resolve();

  /** The paths of what was asked for. */
  readonly asked: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<NpmRegistry> {
    const server = createServer();
    const registry = new NpmRegistry(server);
    server.on('request', (request, response) => registry.answer(request, response));
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

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '');
    this.asked.push(path);
    const found = this.packages.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/-/`));
    if (found === undefined) {
      response.writeHead(404).end('{}');
      return;
    }
    const { name, version, content } = found;
    if (path.endsWith('.tgz')) {
      void this.sendsAfter.then(() => response.end(content));
      return;
    }
    const tarball = `${this.url}/${name}/-/package-${version}.tgz`;
    const dist = { tarball, integrity: this.saidIntegrity ?? integrityOf(content) };
    const versions = { [version]: { name, version, dist } };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  }
}
