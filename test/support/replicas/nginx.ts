import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../compiled/compiled-sources';
import { eventually } from '../eventually';
import { freePort } from '../service/free-port';
import { programPath } from './programs';

const SHIPPED = join(ROOT, 'deploy', 'nginx', 'conversations.conf');

/** nginx with the configuration that the service ships, in front of two replicas. */
export class Nginx {
  private constructor(
    /** Where it listens. */
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param ports of the replicas, on loopback */
  static async start(ports: readonly [number, number]): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
    const port = await freePort();
    const shipped = await readFile(SHIPPED, 'utf8');
    const own = shipped
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
      .replaceAll('127.0.0.1:3002', `127.0.0.1:${ports[1]}`);
    await writeFile(join(folder, 'conversations.conf'), own);
    await writeFile(join(folder, 'nginx.conf'), mainConfiguration(folder));
    const program = programPath('nginx') ?? 'nginx';
    const child = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log', '-g', 'daemon off;'], {
      stdio: 'ignore',
    });
    const nginx = new Nginx(`http://127.0.0.1:${port}`, folder, child);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(await nginx.errors());
      await fetch(`${nginx.url}/alive`);
    });
    return nginx;
  }

  /** The replicas, as `address:port`, to which requests for a path went, one entry for each attempt. */
  async attempts(path: string): Promise<string[]> {
    const lines = (await readFile(join(this.folder, 'access.log'), 'utf8')).split('\n');
    return lines
      .filter((line) => line.startsWith(`${path} `))
      .flatMap((line) => line.slice(path.length + 1).split(', '));
  }

  /** What it complained about. */
  errors(): Promise<string> {
    return readFile(join(this.folder, 'error.log'), 'utf8');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.kill('SIGTERM')) await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What a distribution has around the files of `conf.d`, within a folder of its own. */
function mainConfiguration(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n');
  // Its workers run as the user of the tests, to whom the folder belongs.
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 2;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log warn;
    events { worker_connections 512; }
    http {
      log_format attempts '$uri $upstream_addr';
      access_log ${folder}/access.log attempts;
      ${temporary}
      include ${folder}/conversations.conf;
    }`;
}
