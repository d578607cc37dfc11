import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What an agent server is started with. */
interface AgentServerOptions {
  /** Where its conversations are. */
  readonly folder: string;
  readonly apiKey: string;
  /** Where its events go. */
  readonly webhookUrl: string;
}

/** An embedded agent server of the build in a process of its own, whose agents echo. */
export class AgentServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly apiKey: string,
  ) {}

  /** Starts one on a free port of loopback, and waits until it listens. */
  static async start({ folder, apiKey, webhookUrl }: AgentServerOptions): Promise<AgentServerProcess> {
    await mkdir(folder, { recursive: true });
    const script = join(__dirname, '..', '..', 'dist', 'appliance', 'embedded-agent-server', 'main.js');
    const child = spawn(process.execPath, [script, '--host', '127.0.0.1', '--port', '0', '--own-user'], {
      cwd: folder,
      env: {
        OH_SESSION_API_KEYS_0: apiKey,
        OH_WEBHOOKS_0_BASE_URL: webhookUrl,
        OH_WEBHOOKS_0_EVENT_BUFFER_SIZE: '100',
        OH_WEBHOOKS_0_FLUSH_DELAY: '0.05',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = once(createInterface(child.stdout), 'line');
    const [first] = (await Promise.race([line, once(child, 'exit')])) as unknown[];
    const url = /http:\/\/\S+/.exec(String(first))?.[0];
    if (url === undefined) throw new Error(`The agent server does not start: ${String(first)}`);
    return new AgentServerProcess(child, url, apiKey);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
