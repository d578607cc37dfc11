import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../support/service/free-port';
import { DemoClient, itemsOf, recordOf } from '../../scripts/demo/demo-client';

const ROOT = join(__dirname, '..', '..');
const START_MS = 120_000;
const run = promisify(execFile);

/** Callers that see a different service each. */
export const ROLES = ['owner', 'member', 'stranger'] as const;
export type Role = (typeof ROLES)[number];

const EMAILS: Readonly<Record<Role, string>> = {
  owner: 'owner@example.com',
  member: 'member@example.com',
  stranger: 'stranger@example.com',
};

/** Ids of what there is, by the names of path parameters. */
export type KnownIds = Readonly<Record<string, string>>;

/** The built service with an embedded database, in a folder that is removed at the end. */
export class MeasuredService {
  private constructor(
    readonly url: string,
    private readonly keys: Record<Role, string>,
    private readonly orgId: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<MeasuredService> {
    const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
    const port = await freePort();
    const place = { PORT: String(port), DATA_DIR: folder, BOOTSTRAP_EMAIL: EMAILS.owner };
    const env = { ...process.env, ...place, LOG_LEVEL: 'error', ...LIMITS };
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'main.js')], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const end = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const url = `http://127.0.0.1:${port}`;
      const deadline = Date.now() + START_MS;
      while (!(await isReady(url))) {
        if (child.exitCode !== null || Date.now() > deadline) throw new Error('The service did not start.');
        await delay(200);
      }
      const owner = (await readFile(join(folder, 'owner.key'), 'utf8')).trim();
      const { org_id } = await new DemoClient(url, owner).call('GET', '/api/keys/current');
      const orgId = String(org_id);
      const member = await cli(
        env,
        'member:add',
        '--org',
        orgId,
        '--email',
        EMAILS.member,
        '--role',
        'member',
      );
      const other = await cli(env, 'org:create', '--name', 'Other', '--owner-email', EMAILS.stranger);
      return new MeasuredService(url, { owner, member, stranger: other }, orgId, env, end);
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** A key that works: an invented request may have deleted the one before. */
  async keyOf(role: Role): Promise<string> {
    const { status } = await fetch(`${this.url}/api/keys/current`, {
      headers: { 'X-Access-Token': this.keys[role] },
    });
    if (status === 401) this.keys[role] = await cli(this.env, 'key:issue', '--email', EMAILS[role]);
    return this.keys[role];
  }

  /** Makes room, then a conversation with events and a queue, an invitation and a key; all the owner's. */
  async addData(): Promise<KnownIds> {
    const owner = new DemoClient(this.url, await this.keyOf('owner'));
    for (const { id } of itemsOf(await owner.call('GET', '/api/v1/sandboxes/search')))
      // It may be gone meanwhile.
      await owner.call('DELETE', `/api/v1/sandboxes/${String(id)}`).catch(() => undefined);
    const message = { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] };
    const body = { initial_message: message, title: 'Measured', tags: { team: 'shop' } };
    // Deleted sandboxes count until they are gone.
    const task = await owner.until('Room for a sandbox', () =>
      owner.call('POST', '/api/v1/app-conversations', body).catch((error: unknown) => {
        if (String(error).includes('concurrency_limit_reached')) return undefined;
        throw error;
      }),
    );
    const started = await owner.until('The start', async () => {
      const [now] = itemsOf(
        await owner.call('GET', `/api/v1/app-conversations/start-tasks?ids=${String(task.id)}`),
      );
      if (now?.status === 'ERROR') throw new Error(`The conversation did not start: ${String(now.detail)}`);
      return now?.status === 'READY' ? now : undefined;
    });
    const conversation = String(started.app_conversation_id);
    const events = `/api/v1/conversation/${conversation}/events/search`;
    const [event] = await owner.until('The first event', async () => {
      const found = itemsOf(await owner.call('GET', events));
      return found.length > 0 ? found : undefined;
    });
    await owner.call('POST', `/api/v1/conversations/${conversation}/pending-messages`, message);
    const emails = ['somebody@example.com'];
    const invited = await owner.call('POST', `/api/organizations/${this.orgId}/members/invite`, { emails });
    const [invitation] = itemsOf({ items: invited.successful });
    const key = await owner.call('POST', '/api/keys', { name: 'Measured' });
    return {
      org_id: this.orgId,
      conversation_id: conversation,
      id: conversation,
      sandbox_id: String(started.sandbox_id),
      event_id: String(event?.id),
      invitation_id: String(invitation?.id),
      key_id: String(key.id),
    };
  }

  stop(): Promise<void> {
    return this.end();
  }
}

/** A sandbox is a process here; what is measured is not how many a machine bears. */
const LIMITS = {
  MAX_SANDBOXES_PER_ORG: '4',
  MAX_SANDBOXES: '6',
  READ_CALLS_PER_MINUTE: '0',
  SEND_CALLS_PER_MINUTE: '0',
  LIFECYCLE_CALLS_PER_MINUTE: '0',
  FAILED_CREDENTIALS_PER_MINUTE: '0',
};

async function cli(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const command = [join(ROOT, 'scripts', 'cli.mjs'), ...args];
  const { stdout } = await run(process.execPath, command, { cwd: ROOT, env });
  return String(recordOf(JSON.parse(stdout)).key);
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
