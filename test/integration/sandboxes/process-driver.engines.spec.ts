import { mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';
import { endAtOnce } from '../../support/processes-in';
import { isAlive, SandboxService } from '../../support/agent-server/sandboxes';

describe('a sandbox of the process driver', () => {
  let service: SandboxService;

  beforeAll(async () => {
    service = await SandboxService.start();
  });

  afterAll(async () => {
    await service.stop();
  });

  it('is RUNNING once its agent server answers, with a key and an address of its own', async () => {
    const [one, two] = await Promise.all([service.createRunning(), service.createRunning()]);
    expect(one.session_api_key).toMatch(/^[\w-]{43}$/);
    expect(one.session_api_key).not.toBe(two.session_api_key);
    const [url] = one.exposed_urls!;
    expect(url).toEqual({ name: 'AGENT_SERVER', url: `http://127.77.0.1:${url!.port}`, port: url!.port });
    const health = await fetch(`${url!.url}/health`);
    expect(health.status).toBe(200);
  });

  it('has a folder that is closed to others and an environment of listed variables', async () => {
    const { id, session_api_key } = await service.createRunning();
    expect((await stat(service.home(id))).mode & 0o777).toBe(0o700);
    const environment = JSON.parse(
      await readFile(join(service.home(id), 'environment.json'), 'utf8'),
    ) as Record<string, string>;
    const expected = {
      TZ: 'UTC',
      HOME: service.home(id),
      OH_SESSION_API_KEYS_0: session_api_key,
      OH_WEBHOOKS_0_BASE_URL: expect.stringMatching(/\/api\/v1\/webhooks$/) as string,
      OH_WEBHOOKS_0_EVENT_BUFFER_SIZE: '1',
      OH_WEBHOOKS_0_FLUSH_DELAY: '1',
    };
    expect(environment).toMatchObject(expected);
    const names = Object.keys(environment).filter((name) => !/^(OH_|LC_|LANG)/.test(name));
    expect(names.sort()).toEqual(
      [
        'DO_NOT_TRACK',
        'GIT_TERMINAL_PROMPT',
        'HOME',
        'LITELLM_LOCAL_MODEL_COST_MAP',
        'LOGNAME',
        'AGENT_SERVER_PORT',
        'LOG_JSON',
        'TMUX_TMPDIR',
        'OPENHANDS_SUPPRESS_BANNER',
        'PATH',
        'TZ',
        'USER',
      ].sort(),
    );
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('runs as a user of its own when the service runs as root', async () => {
    const [one, two] = await Promise.all([service.createRunning(), service.createRunning()]);
    const [first, second] = await Promise.all([stat(service.home(one.id)), stat(service.home(two.id))]);
    expect(new Set([0, first.uid, second.uid]).size).toBe(3);
    expect((await stat(`/proc/${await service.pid(one.id)}`)).uid).toBe(first.uid);
  });

  asRoot('cannot lead the service out of its folder', async () => {
    const { id } = await service.createRunning();
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    const outside = join(service.dataDir, 'outside');
    await mkdir(outside);
    await rm(join(service.home(id), 'workspace'), { recursive: true });
    await symlink(outside, join(service.home(id), 'workspace'));
    await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    await service.until(id, 'RUNNING');
    await service.call('DELETE', `/api/v1/sandboxes/${id}`);
    await service.until(id, 'MISSING');
    expect((await stat(outside)).uid).toBe(0);
    expect(await readdir(outside)).toEqual([]);
  });

  it('that hangs is ERROR, and its process is ended', async () => {
    const { id } = await service.createRunning();
    await service.setBehaviour(id, 'mute');
    const longAgo = `UPDATE sandboxes SET unanswered_since = '2020-01-01' WHERE id = $1`;
    await service.app.db.query(longAgo, [id]);
    const failed = await service.until(id, 'ERROR');
    expect(failed.status_detail).toBe('The agent server no longer answered.');
    expect(isAlive(await service.pid(id))).toBe(false);
  });

  it('that dies is ERROR within 10 s, and runs again on its folder and key after a resume', async () => {
    const before = await service.createRunning();
    process.kill(await service.pid(before.id), 'SIGKILL');
    const failed = await service.until(before.id, 'ERROR');
    expect(failed).toMatchObject({ session_api_key: null, exposed_urls: null });
    expect(failed.status_detail).toMatch(/ended/);
    expect((await service.call('POST', `/api/v1/sandboxes/${before.id}/resume`)).status).toBe(200);
    const after = await service.until(before.id, 'RUNNING');
    expect(after.session_api_key).toBe(before.session_api_key);
  });

  it('that dies with its folder is MISSING within 10 s', async () => {
    const { id } = await service.createRunning();
    const pid = await service.pid(id);
    await rm(service.home(id), { recursive: true });
    // Without its folder it may end by itself.
    endAtOnce(pid);
    await service.until(id, 'MISSING');
    expect((await service.call('POST', `/api/v1/sandboxes/${id}/resume`)).status).toBe(404);
  });

  it('may take a while to end by itself when it is paused', async () => {
    const { id } = await service.createRunning();
    await service.setBehaviour(id, 'slow');
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    await stat(join(service.home(id), 'ended'));
  });

  it('keeps its folder, key and port over pause and resume', async () => {
    const before = await service.createRunning();
    const pid = await service.pid(before.id);
    await service.call('POST', `/api/v1/sandboxes/${before.id}/pause`);
    const paused = await service.until(before.id, 'PAUSED');
    expect(paused).toMatchObject({ session_api_key: null, exposed_urls: null });
    expect(isAlive(pid)).toBe(false);
    await stat(service.home(before.id));
    await service.call('POST', `/api/v1/sandboxes/${before.id}/resume`);
    const after = await service.until(before.id, 'RUNNING');
    expect(after).toEqual(before);
  });

  it('leaves nothing behind when it is deleted', async () => {
    const { id } = await service.createRunning();
    const pid = await service.pid(id);
    await service.call('DELETE', `/api/v1/sandboxes/${id}?sandbox_id=${id}`);
    await service.until(id, 'MISSING');
    expect(isAlive(pid)).toBe(false);
    await expect(stat(service.home(id))).rejects.toThrow('ENOENT');
    await expect(stat(`${service.home(id)}.json`)).rejects.toThrow('ENOENT');
  });

  it('whose process ends while it starts is ERROR at once', async () => {
    const { id } = await service.createRunning();
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    await service.setBehaviour(id, 'dead');
    await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    expect((await service.until(id, 'ERROR')).status_detail).toMatch(/ended/);
  });

  it('ends in the state that was asked for last, however fast pause and resume follow each other', async () => {
    const { id } = await service.createRunning();
    for (let n = 0; n < 10; n++) {
      await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
      await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    }
    await service.until(id, 'RUNNING');
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        service.call('POST', `/api/v1/sandboxes/${id}/${n % 2 === 0 ? 'pause' : 'resume'}`),
      ),
    );
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    await eventually(async () => expect(isAlive(await service.pid(id))).toBe(false));
  });
});

describe('sandboxes of the process driver and a restart of the service', () => {
  let service: SandboxService;

  beforeEach(async () => {
    service = await SandboxService.start();
  });

  afterEach(async () => {
    await service.stop();
  });

  it('run on and are adopted', async () => {
    const before = await service.createRunning();
    const pid = await service.pid(before.id);
    await service.restart({}, async () => {
      expect(isAlive(pid)).toBe(true);
      await Promise.resolve();
    });
    expect(await service.until(before.id, 'RUNNING')).toEqual(before);
    expect(await service.pid(before.id)).toBe(pid);
    process.kill(pid, 'SIGKILL');
    await service.until(before.id, 'ERROR');
  });

  it('are ERROR when they died meanwhile', async () => {
    const { id } = await service.createRunning();
    const pid = await service.pid(id);
    await service.restart({}, () => Promise.resolve(void process.kill(pid, 'SIGKILL')));
    await service.until(id, 'ERROR');
  });

  it('are paused when they were not used for the idle time', async () => {
    await service.restart({ SANDBOX_IDLE_SECONDS: '2' });
    const { id } = await service.create();
    await service.until(id, 'PAUSED');
    expect(isAlive(await service.pid(id))).toBe(false);
  });

  it('are in use while an agent works in them, and idle when it stops', async () => {
    const { id } = await service.createRunning();
    const { orgId, userId } = service.caller;
    await service.setBehaviour(id, 'busy');
    await service.app.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, execution_status)
       VALUES ($1, $2, $3, $1, 'ready', 'running')`,
      [id, orgId, userId],
    );
    await service.restart({ SANDBOX_IDLE_SECONDS: '2' });
    // The second time its agent server, too, has been idle for longer than that by what it says itself.
    for (let time = 0; time < 2; time++) {
      await service.app.db.query(`UPDATE sandboxes SET last_activity_at = '2020-01-01' WHERE id = $1`, [id]);
      await eventually(async () => {
        const [row] = await service.app.db.query<{ status: string; used: boolean }[]>(
          `SELECT status, last_activity_at > '2020-01-02' AS used FROM sandboxes WHERE id = $1`,
          [id],
        );
        expect(row).toEqual({ status: 'RUNNING', used: true });
      });
    }
    await rm(join(service.home(id), 'busy'));
    await service.until(id, 'PAUSED');
  });

  it('are ERROR when they do not answer in time, and their process is ended', async () => {
    const { id } = await service.createRunning();
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    await service.restart({ SANDBOX_START_SECONDS: '6' });
    await service.setBehaviour(id, 'mute');
    await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    expect(await service.read(id)).toMatchObject({ status: 'STARTING' });
    const failed = await service.until(id, 'ERROR');
    expect(failed.status_detail).toMatch(/^The agent server did not answer within 6 seconds\.$/m);
    expect(isAlive(await service.pid(id))).toBe(false);
  });

  it('say what is wrong when their program cannot be run', async () => {
    await service.restart({ AGENT_SERVER_COMMAND: '/nowhere/agent-server' });
    const { id } = await service.create();
    const failed = await service.until(id, 'ERROR');
    expect(failed.status_detail).toBe('The agent server could not be started (ENOENT).');
  });
});
