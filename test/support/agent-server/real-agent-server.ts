import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../service/free-port';
import { ensureAgentServer } from '../../../scripts/agent-server-environment';
import { eventually } from '../eventually';

const START_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 10_000;

/**
 * Kills the agent server and its children when this process ends, even by `kill -9`. tmux is in a process group of
 * its own, found by its socket.
 */
const WATCHDOG = `
read -r _
while read -r pid; do kill -9 -"$pid" 2>/dev/null; done < "$1/pids"
TMUX_TMPDIR="$1/tmux" tmux -L openhands kill-server 2>/dev/null
rm -rf "$1"
`;

/** Options of a real agent server. */
export interface RealAgentServerOptions {
  /** Where webhooks go; none are sent without. */
  readonly webhookUrl?: string;
  /** Additional environment variables, which override those that make it hermetic. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The response to one call: its status and its body, parsed if it is JSON. */
export interface AgentServerResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The real agent server as a child process, with a folder, a port and a home of its own. */
export class RealAgentServer {
  readonly apiKey = 'session-key-of-tests';
  private child: ChildProcess | undefined;
  private watchdog: ChildProcess | undefined;

  private constructor(
    /** Where it runs: conversations under `workspace/conversations`, its output in `output.log`. */
    readonly directory: string,
    readonly port: number,
    private readonly command: string,
    private readonly options: RealAgentServerOptions,
  ) {}

  /** Creates the folder, chooses a port, and waits until the agent server is ready. */
  static async start(options: RealAgentServerOptions = {}): Promise<RealAgentServer> {
    const { command } = await ensureAgentServer();
    const directory = await mkdtemp(join(tmpdir(), 'agent-server-'));
    const server = new RealAgentServer(directory, await freePort(), command, options);
    try {
      await server.launch();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts it again on the same folder and port. */
  async launch(): Promise<void> {
    const { directory, command } = this;
    await Promise.all(
      ['home', 'tmux', 'tmp'].map((name) => mkdir(join(directory, name), { recursive: true })),
    );
    this.watchdog ??= spawn('sh', ['-c', WATCHDOG, 'watchdog', directory], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const output = createWriteStream(join(directory, 'output.log'), { flags: 'a' });
    await once(output, 'open');
    this.child = spawn(command, ['--host', '127.0.0.1', '--port', `${this.port}`], {
      cwd: directory,
      detached: true,
      stdio: ['ignore', output, output],
      env: this.environment(),
    });
    await once(this.child, 'spawn');
    await appendFile(join(directory, 'pids'), `${this.child.pid}\n`);
    await eventually(async () => {
      if (this.hasEnded()) return;
      const { ok } = await fetch(`${this.baseUrl}/ready`, { signal: AbortSignal.timeout(2_000) });
      if (!ok) throw new Error('The agent server is not ready.');
    }, START_WITHIN_MS);
    if (this.hasEnded()) throw new Error(`The agent server exited unexpectedly:\n${await this.output()}`);
  }

  /** Calls its API with the session key; `path` from `/` on, `body` as JSON. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    apiKey = this.apiKey,
  ): Promise<AgentServerResponse> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { 'x-session-api-key': apiKey, 'content-type': 'application/json', connection: 'close' },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  /** All its output so far. */
  output(): Promise<string> {
    return readFile(join(this.directory, 'output.log'), 'utf8');
  }

  /** Kills the process and waits for its end; keeps folder and port for launch(). */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || this.hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(killTimer);
  }

  /** Kills it and all its children, and removes its folder. */
  async stop(): Promise<void> {
    await this.kill('SIGTERM');
    this.watchdog?.stdin?.end();
    if (this.watchdog !== undefined) await once(this.watchdog, 'exit');
    await rm(this.directory, { recursive: true, force: true });
  }

  private hasEnded(): boolean {
    return this.child !== undefined && (this.child.exitCode !== null || this.child.signalCode !== null);
  }

  /** It gets none of this machine's settings, and can reach only loopback. */
  private environment(): Record<string, string> {
    const { directory, apiKey, options } = this;
    const { webhookUrl } = options;
    return {
      PATH: `${dirname(this.command)}:${process.env['PATH'] ?? '/usr/bin:/bin'}`,
      HOME: join(directory, 'home'),
      TMPDIR: join(directory, 'tmp'),
      TMUX_TMPDIR: join(directory, 'tmux'),
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      OH_SESSION_API_KEYS_0: apiKey,
      OH_SECRET_KEY: 'secret-key-of-tests',
      OH_ENABLE_VSCODE: '0',
      OH_PRELOAD_TOOLS: '0',
      DO_NOT_TRACK: '1',
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      OPENHANDS_SUPPRESS_BANNER: '1',
      GIT_TERMINAL_PROMPT: '0',
      // Otherwise each unhandled error blocks it for seconds while it renders a traceback.
      LOG_JSON: '1',
      ...(webhookUrl === undefined ? {} : webhookSettings(webhookUrl)),
      ...options.environment,
    };
  }
}

function webhookSettings(url: string): Record<string, string> {
  return {
    OH_WEBHOOKS_0_BASE_URL: url,
    OH_WEBHOOKS_0_EVENT_BUFFER_SIZE: '1',
    OH_WEBHOOKS_0_FLUSH_DELAY: '1',
    OH_WEBHOOKS_0_RETRY_DELAY: '1',
  };
}
