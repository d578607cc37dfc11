import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitRepository, type RepositoryFiles } from './git-repository';

/** The behaviour of the server, which a test can change at any time. */
export interface GitServerBehaviour {
  /** Serves plain files, as any web server would, instead of git's smart protocol. */
  dumb?: boolean;
  /** Delay of each response. */
  delayMs?: number;
  /** Requests with credentials are answered when this resolves. */
  knownHeldUntil?: Promise<void>;
  /** Repositories under this path prefix ask for these credentials. */
  auth?: { readonly prefix: string; readonly username: string; readonly password: string };
  /** Where requests go whose path begins with `from`. */
  redirect?: { readonly from: string; readonly to: string };
  /** Requests whose path contains this get no response. */
  hangOn?: string;
  /** What answers requests whose path begins with `prefix` or matches it, as servers have their API beside their repositories. */
  api?: {
    readonly prefix: string | RegExp;
    readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  };
}

/** A git server over http, on loopback unless it is given another address. */
export class TestGitServer {
  readonly requests: { readonly method: string; readonly url: string; readonly authorization?: string }[] =
    [];
  behaviour: GitServerBehaviour = {};
  private readonly server: Server;

  private constructor(private readonly root: string) {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(host = '127.0.0.1'): Promise<TestGitServer> {
    const server = new TestGitServer(await mkdtemp(join(tmpdir(), 'git-server-')));
    await new Promise<void>((resolve) => server.server.listen(0, host, resolve));
    return server;
  }

  /** `host:port`, as `GIT_ALLOWED_HOSTS` takes it. */
  get host(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `${address}:${port}`;
  }

  /** The address of a repository. */
  url(name: string): string {
    return `http://${this.host}/${name}.git`;
  }

  /** Makes a repository with one commit on `main`. */
  async repository(name: string, files: RepositoryFiles): Promise<GitRepository> {
    const repository = await GitRepository.create(join(this.root, `${name}.git`));
    await repository.commit(files);
    return repository;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.root, { recursive: true, force: true });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://server');
    const { authorization } = request.headers;
    this.note(request);
    const { api, auth, delayMs, knownHeldUntil, hangOn, redirect, dumb } = this.behaviour;
    if (hangOn !== undefined && request.url?.includes(hangOn)) return;
    if (delayMs !== undefined) await sleep(delayMs);
    if (authorization !== undefined) await knownHeldUntil;
    if (api && url.pathname.search(api.prefix) === 0) {
      api.answer(request, response);
    } else if (auth && url.pathname.startsWith(auth.prefix) && authorization !== basic(auth)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end();
    } else if (redirect && url.pathname.startsWith(redirect.from)) {
      const rest = url.pathname.slice(redirect.from.length) + url.search;
      response.writeHead(302, { Location: redirect.to + rest }).end();
    } else if (dumb) await this.serveFile(url, response);
    else this.serveProtocol(request, url, response);
  }

  private note({ method = '', url = '', headers: { authorization } }: IncomingMessage): void {
    this.requests.push({ method, url, ...(authorization !== undefined && { authorization }) });
  }

  private async serveFile(url: URL, response: ServerResponse): Promise<void> {
    const content = await readFile(join(this.root, url.pathname)).catch(() => null);
    if (content) response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(content);
    else response.writeHead(404).end();
  }

  private serveProtocol(request: IncomingMessage, url: URL, response: ServerResponse): void {
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: this.root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(child.stdin).on('error', () => undefined);
    response.once('close', () => child.kill());
    let head = Buffer.alloc(0);
    child.stdout.on('data', (chunk: Buffer) => {
      if (response.headersSent) {
        if (!response.write(chunk)) {
          child.stdout.pause();
          response.once('drain', () => child.stdout.resume());
        }
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      let status = 200;
      for (const line of head.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(': ', 2);
        if (name === 'Status') status = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.writeHead(status);
      response.write(head.subarray(end + 4));
    });
    child.stdout.once('end', () => response.end());
  }
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
