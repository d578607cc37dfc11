import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlGroups } from '../../../src/drivers/launch/control-groups';
import { restricted } from '../../../src/drivers/launch/restrictions';
import { namespaceProblem } from '../../../src/drivers/launch/namespaces';
import { type Agent, AttackedService } from '../../support/agent-server/attacked-service';
import { eventually } from '../../support/eventually';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const LIMITS = { SANDBOX_MEMORY_MEBIBYTES: '256', SANDBOX_PROCESSES: '100' };
const isRoot = process.getuid?.() === 0;
const groups = isRoot ? ControlGroups.ofHost() : null;
const hasGroups = groups !== null && namespaceProblem() === null;
/** Takes memory in processes that are each smaller than the agent server, of which the kernel ends the largest. */
const MANY_SMALL = `for (1 .. 80) { next if fork; my $x = 'x' x 12_000_000; sleep 60; exit } sleep 60`;

(hasGroups ? describe : describe.skip)('a sandbox that takes too much', () => {
  let service: AttackedService;
  let own: Agent;
  let other: Agent;

  beforeAll(async () => {
    service = await AttackedService.start(LIMITS);
    [own, other] = await Promise.all([service.agent(), service.agent()]);
  });
  afterAll(() => service.stop());

  it('gets no more processes, while others do', async () => {
    const count = `my $n = 0; for (1 .. 200) { my $pid = fork; last unless defined $pid; $pid or do { sleep 60; exit };
      $n++; push @all, $pid } kill 9, @all; print $n`;
    expect(Number(await own.run(count))).toBeLessThan(100);
    expect(await other.run('print "works"')).toBe('works');
  });

  it('loses the process that takes the memory, and goes on', async () => {
    expect(await own.run(`my $x = 'x' x 600_000_000; print 'had it'`)).not.toContain('had it');
    expect(await own.run('print "works"')).toBe('works');
  });

  it('ends alone with its agent server, says why, and can be resumed', async () => {
    await own.leave(MANY_SMALL);
    const failed = await eventually(async () => {
      const found = await service.sandbox(own.id);
      expect(found.status).toBe('ERROR');
      return found;
    }, 60_000);
    expect(failed.status_detail).toBe(
      'The agent server ended unexpectedly. It ran out of memory: it may have 256 MiB (SANDBOX_MEMORY_MEBIBYTES).',
    );
    expect(await other.run('print "works"')).toBe('works');
    expect((await service.call('POST', `/api/v1/sandboxes/${own.id}/resume`)).status).toBe(200);
    own = await service.agentIn(own.id);
    expect(await own.run('print "works"')).toBe('works');
  });

  it('leaves no control group when it is deleted', async () => {
    const [entry] = groups!.entries(own.id);
    expect(existsSync(entry!)).toBe(true);
    expect((await service.call('DELETE', `/api/v1/sandboxes/${own.id}`)).status).toBe(200);
    await eventually(() => expect(existsSync(entry!)).toBe(false));
  });
});

describe('without control groups', () => {
  it('each process has a limit of memory', async () => {
    const [program = '', ...args] = restricted(['perl', '-e', `my $x = 'x' x 600_000_000; print 'had it'`], {
      entries: [],
      processes: null,
      mebibytes: 256,
    });
    await expect(execute(program, args)).rejects.toThrow(/Out of memory/i);
  });

  it('none are found where the system shows none, or this process is not alone in its own', async () => {
    const root = await mkdtemp(join(tmpdir(), 'groups-'));
    try {
      expect(ControlGroups.open(root)).toBeNull();
      await writeFile(join(root, 'cgroup.controllers'), 'cpu');
      expect(ControlGroups.open(root)).toBeNull();
      await mkdir(join(root, 'memory'));
      expect(ControlGroups.open(root)).toBeNull();
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('nothing runs that could not enter its own', async () => {
    const [program = '', ...args] = restricted(['echo', 'ran'], {
      entries: ['/no/such/group'],
      processes: null,
      mebibytes: null,
    });
    await expect(execute(program, args)).rejects.toMatchObject({ code: 1, stdout: '' });
    expect(await readFile('/proc/self/cgroup', 'utf8')).not.toContain('org-conversation-service');
  });
});
