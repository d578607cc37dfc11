import { open, readlink } from 'node:fs/promises';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { isIsolated } from '../support/agent-server/sandbox-isolation';
import {
  fieldOf,
  forkServerOf,
  readOf,
  startedBy,
  type StartedProcess,
  waitingOf,
} from '../support/agent-server/started-processes';
import { eventually } from '../support/eventually';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { saying } from '../support/queue/queued-messages';
import { freePort } from '../support/service/free-port';
import { type ConversationRecord, ConversationService } from '../support/service/conversation-service';

const PATIENCE_MS = 90_000;
const NAMESPACES = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts'];
const RIGHTS = ['Uid', 'Gid', 'Groups', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs'];

/** Whether the memory of a process has these bytes anywhere. */
async function remembers(pid: number, bytes: string): Promise<boolean> {
  const memory = await open(`/proc/${pid}/mem`);
  try {
    for (const line of (await readOf(pid, 'maps')).split('\n')) {
      const [from = 0, to = 0] = (line.split(' ')[0] ?? '').split('-').map((one) => Number.parseInt(one, 16));
      if (!/^\S+ rw/.test(line)) continue;
      const { buffer, bytesRead } = await memory.read(Buffer.alloc(to - from), 0, to - from, from);
      if (buffer.subarray(0, bytesRead).includes(bytes)) return true;
    }
    return false;
  } finally {
    await memory.close();
  }
}

(isIsolated ? describe : describe.skip)('a real agent server that is forked', () => {
  let model: ScriptedModel;
  let service: ConversationService;
  let record: ConversationRecord;
  let fork: StartedProcess;
  let waiting: StartedProcess;
  let server: StartedProcess;
  let port: number;

  beforeAll(async () => {
    const { command } = await ensureAgentServer();
    model = await ScriptedModel.start();
    port = await freePort();
    service = await ConversationService.start(
      {
        PORT: String(port),
        SANDBOX_DRIVER: 'process',
        AGENT_SERVER_COMMAND: command,
        LLM_MODEL: 'openai/scripted',
        LLM_BASE_URL: model.baseUrl,
        LLM_API_KEY: 'scripted-model-key',
      },
      PATIENCE_MS,
    );
    record = await service.record(await service.ready());
    [fork, waiting, server] = await found();
  });

  afterAll(async () => {
    await service.close();
    await model.stop();
  });

  /** The agent server of the conversation, what waits for its end, and what it was forked from. */
  async function found(): Promise<[StartedProcess, StartedProcess, StartedProcess]> {
    const all = await startedBy(port);
    const key = record.session_api_key!;
    const place = waitingOf(all).find(({ environment }) => environment.includes(key));
    const taken = all.find(({ name, parent }) => name === 'agent-server' && parent === place?.parent);
    return [taken!, place!, forkServerOf(all)!];
  }

  const waitingOnes = async (): Promise<StartedProcess[]> => waitingOf(await startedBy(port));

  it('has the rights of its sandbox, and no others', async () => {
    for (const name of RIGHTS)
      expect([name, fieldOf(fork.status, name)]).toEqual([name, fieldOf(waiting.status, name)]);
    expect(fieldOf(fork.status, 'CapBnd')).toMatch(/^0+$/);
    expect(fieldOf(fork.status, 'NoNewPrivs')).toBe('1');
    for (const name of NAMESPACES) {
      const [own, sandbox, outside] = await Promise.all(
        [fork, waiting, server].map(({ pid }) => readlink(`/proc/${pid}/ns/${name}`)),
      );
      expect(own).toBe(sandbox);
      expect(own).not.toBe(outside);
    }
    for (const name of ['cgroup', 'limits', 'mountinfo'])
      expect(await readOf(fork.pid, name)).toBe(await readOf(waiting.pid, name));
  });

  it('is closed to whoever has not its key', async () => {
    const url = `${new URL(record.conversation_url!).origin}/api/conversations/search`;
    expect((await fetch(url)).status).toBe(401);
    const headers = { 'X-Session-API-Key': record.session_api_key! };
    expect((await fetch(url, { headers })).status).toBe(200);
  });

  it('comes of a process without rights on the host, which has never had its key', async () => {
    const [user, outside] = await Promise.all(
      [server.pid, process.pid].map((pid) => readlink(`/proc/${pid}/ns/user`)),
    );
    expect(user).not.toBe(outside);
    if (process.getuid?.() === 0) expect(fieldOf(server.status, 'Uid')).not.toMatch(/^0\s/);
    expect(await remembers(server.pid, record.session_api_key!)).toBe(false);
    expect(await remembers(fork.pid, record.session_api_key!)).toBe(true);
  });

  it('works for its agent as any other, which can change nothing of where it comes from', async () => {
    const command = [
      'echo "$AGENT_SERVER_FORKS$PYTHONPATH$PYTHONNOUSERSITE-$HOME-$(ls /proc | grep -c "^[0-9]")"',
      `cd "$(tr '\\0' '\\n' </proc/2/environ | sed -n s/^PYTHONPATH=//p)"`,
      '[ -r sitecustomize.py ] && ! [ -w . ] && ! [ -w sitecustomize.py ] && echo cannot"" change',
      // Set by what was imported before.
      'echo "There are ${TIKTOKEN_CACHE_DIR##*/}."',
    ].join('; ');
    model.when('look', reply.terminal(command), reply.text('Looked.'));
    const body = saying('look');
    const path = `/api/v1/app-conversations/${record.id}/send-message`;
    expect((await service.call('POST', path, { body })).status).toBe(200);
    await eventually(
      async () => expect((await service.record(record.id)).execution_status).toBe('finished'),
      PATIENCE_MS,
    );
    const seen = JSON.stringify(await service.events(record.id));
    const [, home, count] = /"-(\/[^-]*[^"]*?)-(\d+)\\n/.exec(seen) ?? [];
    expect(home).toContain(record.sandbox_id);
    expect(Number(count)).toBeLessThan(12);
    expect(seen).toContain('cannot change');
    expect(seen).toContain('There are tokenizers.');
  });

  it('starts by itself where what it would be forked from has ended, and the next is forked again', async () => {
    const known = (await waitingOnes()).length;
    process.kill(server.pid, 'SIGSTOP');
    const task = await service.begin();
    await eventually(async () => expect(await waitingOnes()).toHaveLength(known + 1), PATIENCE_MS);
    process.kill(server.pid, 'SIGKILL');
    expect(await service.ended(task.id)).toMatchObject({ status: 'READY', detail: null });
    expect(await waitingOnes()).toHaveLength(known);
    record = await service.record(await service.ready());
    [fork, waiting, server] = await found();
    expect(fork).toBeDefined();
  });

  it('ends when its sandbox is paused, and is forked when that is resumed', async () => {
    const sandbox = `/api/v1/sandboxes/${record.sandbox_id}`;
    await service.call('POST', `${sandbox}/pause`);
    await eventually(() => expect(() => process.kill(fork.pid, 0)).toThrow(), PATIENCE_MS);
    await service.call('POST', `${sandbox}/resume`);
    await eventually(async () => {
      record = await service.record(record.id);
      expect(record.sandbox_status).toBe('RUNNING');
    }, PATIENCE_MS);
    [fork] = await found();
    expect(fork).toBeDefined();
    expect(await service.texts(record.id, 'user', 0)).toEqual([]);
  });
});
