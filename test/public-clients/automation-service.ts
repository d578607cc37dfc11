import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PythonEnvironment } from '../../scripts/python-environment';
import { eventually } from '../support/eventually';
import { call, type HttpResponse } from '../support/service/http';

const PATIENCE_MS = 120_000;

/** Where an automation service runs, and for which service it starts automations. */
export interface AutomationOptions {
  readonly python: PythonEnvironment;
  readonly port: number;
  /** A folder for its database and files. */
  readonly folder: string;
  readonly serviceUrl: string;
  readonly serviceKey: string;
}

/** The public service for automations, as it is, with a database of its own. */
export class AutomationService {
  private readonly out: string[] = [];

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.out.push(text));
  }

  static async start(options: AutomationOptions): Promise<AutomationService> {
    const { python, port, folder, serviceUrl, serviceKey } = options;
    const url = `http://127.0.0.1:${port}`;
    const listen = ['--host', '127.0.0.1', '--port', String(port)];
    const child = spawn(python.command, ['-m', 'uvicorn', 'openhands.automation.app:app', ...listen], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        DO_NOT_TRACK: '1',
        OPENHANDS_SUPPRESS_BANNER: '1',
        LOCAL_STORAGE_PATH: join(folder, 'storage'),
        ...python.variables,
        AUTOMATION_OPENHANDS_API_BASE_URL: serviceUrl,
        AUTOMATION_SERVICE_KEY: serviceKey,
        AUTOMATION_BASE_URL: url,
        AUTOMATION_DB_URL: `sqlite+aiosqlite:///${join(folder, 'automations.db')}`,
        AUTOMATION_DISPATCHER_INTERVAL_SECONDS: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new AutomationService(url, child);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`It ended:\n${service.output}`);
      const { status } = await fetch(`${url}/ready`);
      if (status !== 200) throw new Error(`It is not ready:\n${service.output}`);
    }, PATIENCE_MS);
    return service;
  }

  get output(): string {
    return this.out.join('');
  }

  /** Calls it with a key of a user of the service. */
  call<Body = unknown>(
    key: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<HttpResponse<Body>> {
    const headers = { Authorization: `Bearer ${key}` };
    return call<Body>(this, method, `/api/automation/v1${path}`, { headers, body });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

/**
 * Makes a stand-in for `uv`, with which automations make their environment in each sandbox: it gives them one that is there.
 * @returns the folder that it is in: beside the environment, since the host's temporary files are not those of sandboxes
 */
export async function standInForUv(python: PythonEnvironment): Promise<string> {
  const bin = `${python.directory}.uv`;
  const variables = Object.entries(python.variables).map(([name, value]) => `${name}='${value}'`);
  await mkdir(bin, { recursive: true });
  const interpreter = `#!/bin/sh\n${variables.join(' ')} exec '${python.command}' "$@"\n`;
  const lines = [
    '#!/bin/sh',
    '[ "$1" = venv ] || exit 0',
    'mkdir -p "$2/bin"',
    `cp '${join(bin, 'interpreter')}' "$2/bin/python"`,
  ];
  await writeFile(join(bin, 'interpreter'), interpreter);
  await writeFile(join(bin, 'uv'), `${lines.join('\n')}\n`);
  for (const name of ['interpreter', 'uv']) await chmod(join(bin, name), 0o755);
  return bin;
}
