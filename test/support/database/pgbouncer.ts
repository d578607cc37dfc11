import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { programPath } from '../replicas/programs';
import { freePort } from '../service/free-port';
import { startTcpProxy, type TcpProxy } from '../service/tcp-proxy';
import { ask } from './ask';

/** PgBouncer in transaction mode, in front of a database. */
export class PgBouncer {
  private constructor(
    /** The database through the pooler. */
    readonly url: string,
    private readonly folder: string,
    private readonly proxy: TcpProxy,
    private readonly child: ChildProcess,
  ) {}

  /**
   * @param url of the database, which may be one of a socket that only this user reaches
   * @param poolSize sessions that all connections share
   */
  static async start(url: string, poolSize: number): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    await chmod(folder, 0o777); // it refuses to run as root
    const proxy = await startTcpProxy(url);
    const port = await freePort();
    const server = new URL(proxy.url);
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      `[databases]
       * = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}
       [pgbouncer]
       listen_addr = 127.0.0.1
       listen_port = ${port}
       unix_socket_dir =
       auth_type = any
       pool_mode = transaction
       default_pool_size = ${poolSize}
       max_client_conn = 200
       logfile = ${folder}/pgbouncer.log
       pidfile = ${folder}/pgbouncer.pid`,
    );
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const program = programPath('pgbouncer') ?? 'pgbouncer';
    const child = spawn(program, [...user, '-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
    const pooled = new URL(url);
    pooled.hostname = '127.0.0.1';
    pooled.port = String(port);
    const pgbouncer = new PgBouncer(pooled.href, folder, proxy, child);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'pgbouncer.log'), 'utf8'));
      await ask(pooled.href, 'SELECT 1');
    });
    return pgbouncer;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.kill('SIGTERM')) await ended;
    await this.proxy.cut();
    await rm(this.folder, { recursive: true, force: true });
  }
}
