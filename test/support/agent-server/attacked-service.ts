import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { digestOf, signal } from '../../../src/kernel/common';
import { ask } from '../database/ask';
import { createTestDatabase, type TestDatabase } from '../database/postgres';
import { eventually } from '../eventually';
import { freePort } from '../service/free-port';
import { call } from '../service/http';
import { ServiceProcess } from '../service/service-process';
import { startTcpProxy, type TcpProxy } from '../service/tcp-proxy';
import type { SandboxRecord } from './sandboxes';

const PATIENCE_MS = 60_000;
const NOBODY = 65_534;

/** Runs a program as a user without rights, on a system where such users may open the device of networks, as most have it. */
const WITHOUT_RIGHTS = [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  '--',
  '/bin/sh',
  '-c',
  'mount -t tmpfs none /dev/net && mknod -m 666 /dev/net/tun c 10 200; exec "$@"',
  'sh',
  'setpriv',
  '--reuid',
  `${NOBODY}`,
  '--regid',
  `${NOBODY}`,
  '--clear-groups',
  '--',
];

/** An agent in a sandbox, which does what a test tells it. */
export interface Agent {
  readonly id: string;
  readonly port: number;
  readonly uid: number;
  /** The process of its agent server. */
  readonly pid: number;
  /** Runs a program of Perl, which is everywhere, and answers what it printed. */
  run(program: string): Promise<string>;
  /** Starts a program of Perl that outlives the call; what it prints is in {@link printed}. */
  leave(program: string): Promise<void>;
  printed(): Promise<string>;
}

/** A service as its operator starts it, as root, with embedded sandboxes; and agents in these that mean harm. */
export class AttackedService {
  readonly key = newKey();
  private readonly client = new AgentServerClient();
  private readonly pids: number[] = [];
  private running: ServiceProcess | undefined;
  private way: TcpProxy | undefined;

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    private readonly database: TestDatabase,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /**
   * @param env settings that differ from the defaults
   * @param inherited the files of this process that it finds open, by the numbers they get
   * @param asUser whether it runs as a user without rights, also where the tests run as root
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    inherited: ReadonlyMap<number, number> = new Map(),
    asUser = false,
  ): Promise<AttackedService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'attacked-'));
    await chmod(dataDir, 0o755);
    const database = await createTestDatabase();
    const service = new AttackedService(await freePort(), dataDir, database, env);
    if (asUser && process.getuid?.() === 0) {
      await chown(dataDir, NOBODY, NOBODY);
      // Only the user of these tests can enter the folder where the test server listens.
      service.way = await startTcpProxy(database.url);
    }
    await service.begin(inherited);
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.running?.child.pid ?? 0;
  }

  /** What it logged since it was begun. */
  get log(): string {
    return this.running?.output ?? '';
  }

  /** Starts it, again, on its port and data. @throws what it said when it did not start */
  async begin(inherited: ReadonlyMap<number, number> = new Map()): Promise<void> {
    const settings = {
      ...{
        PORT: String(this.port),
        DATABASE_URL: this.way?.url ?? this.database.url,
        DATA_DIR: this.dataDir,
      },
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      BOOTSTRAP_KEY: this.key,
      SANDBOX_DRIVER: 'embedded',
      JOB_LEASE_SECONDS: '2',
      ...this.env,
    };
    this.running = ServiceProcess.start(settings, {
      inherited,
      prefix: this.way === undefined ? [] : WITHOUT_RIGHTS,
    });
    await this.running.ready;
  }

  /** Its sandboxes run on. */
  async kill(): Promise<void> {
    await this.running?.stop('SIGKILL');
  }

  async sandbox(id: string): Promise<SandboxRecord> {
    const [found] = (await this.call<SandboxRecord[]>('GET', `/api/v1/sandboxes?id=${id}`)).body;
    return found!;
  }

  call<Body>(method: string, path: string): ReturnType<typeof call<Body>> {
    return call<Body>({ url: this.url }, method, path, { key: this.key });
  }

  /** The cookie of who is signed in in a browser. */
  async session(): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const session = `SELECT min(id), '${digestOf(token)}', now(), now() FROM api_keys`;
    const columns = 'api_key_id, digest, created_at, last_used_at';
    await ask(this.database.url, `INSERT INTO browser_sessions (${columns}) ${session}`);
    return `ocs_session=${token}`;
  }

  /** A sandbox that runs, with an agent in it. */
  async agent(): Promise<Agent> {
    return this.agentIn((await this.call<SandboxRecord>('POST', '/api/v1/sandboxes')).body.id);
  }

  /** An agent in a sandbox that is there. */
  async agentIn(id: string): Promise<Agent> {
    const { exposed_urls, session_api_key } = await eventually(async () => {
      const found = await this.sandbox(id);
      expect(found).toMatchObject({ status: 'RUNNING' });
      return found;
    }, PATIENCE_MS);
    const { url, port } = exposed_urls![0]!;
    const target = { baseUrl: url, apiKey: session_api_key! };
    const home = join(this.dataDir, 'sandboxes', 'embedded', id);
    const note = JSON.parse(await readFile(`${home}.json`, 'utf8')) as {
      uid: number | null;
      pid: number;
    };
    this.pids.push(note.pid);
    const bash = async (command: string): Promise<string> => {
      const { stdout, stderr } = await this.client.workspace.executeBash(target, {
        command,
        timeoutSeconds: 50,
      });
      return stdout + stderr;
    };
    return {
      id,
      port,
      uid: note.uid ?? 0,
      pid: note.pid,
      run: (program) => bash(commandOf(program)),
      leave: async (program) => {
        await bash(`setsid sh -c '${commandOf(program)}' > ~/printed 2>&1 < /dev/null &`);
      },
      printed: () => readFile(join(home, 'printed'), 'utf8'),
    };
  }

  /** Ends it, with all its sandboxes: also those that a service left which was killed and not begun again. */
  async stop(): Promise<void> {
    await this.client.onApplicationShutdown();
    await this.running?.stop();
    // The first of each sandbox: all others end with it.
    for (const pid of this.pids) signal(pid, 'SIGKILL');
    await this.way?.cut();
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** What programs of agents can use besides Perl's own. */
const PRELUDE = `
use Socket qw(:all);
$| = 1;
sub at { my ($host, $port) = @_;
  $host =~ /:/ ? pack_sockaddr_in6($port, inet_pton(AF_INET6, $host)) : pack_sockaddr_in($port, inet_aton($host)) }
sub tcp { my ($host) = @_; socket(my $tcp, $host =~ /:/ ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or die $!; $tcp }
sub bound { my ($host, $port) = @_; my $tcp = tcp($host);
  setsockopt($tcp, SOL_SOCKET, SO_REUSEADDR, 1);
  select(undef, undef, undef, 0.01) until bind($tcp, at($host, $port)); $tcp }
sub serve { my ($tcp) = @_; print "listening\n";
  while (accept(my $peer, $tcp)) { print "connected\n"; sysread($peer, my $bytes, 1000); print "received $bytes\n" } }
`;

function commandOf(program: string): string {
  const text = Buffer.from(PRELUDE + program).toString('base64');
  return `echo ${text} | base64 -d > ~/program.$$ && perl ~/program.$$`;
}
