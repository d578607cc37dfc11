import { stat } from 'node:fs/promises';
import { call } from '../../support/service/http';
import { eventually } from '../../support/eventually';
import { makeCaller } from '../../support/service/factories';
import { runNow } from '../../support/service/recurring-jobs';
import { isAlive, SandboxService } from '../../support/agent-server/sandboxes';

describe('sandboxes of those who leave', () => {
  let service: SandboxService;

  beforeEach(async () => {
    service = await SandboxService.start();
  });

  afterEach(async () => {
    await service.stop();
  });

  it('are paused when a member is removed, and unknown to them', async () => {
    const owner = await makeCaller(service.app.db, service.caller.orgId, 'owner');
    const { id } = await service.createRunning();
    const path = `/api/organizations/${owner.orgId}/members/${service.caller.userId}`;
    expect((await call(service.app, 'DELETE', path, { key: owner.key })).status).toBe(200);
    await eventually(async () => {
      const rows = await service.app.db.query<unknown>(
        'SELECT status, stopping FROM sandboxes WHERE id = $1',
        [id],
      );
      expect(rows).toEqual([{ status: 'PAUSED', stopping: null }]);
    });
    expect(isAlive(await service.pid(id))).toBe(false);
  });

  it('leave no process and no folder when their organization is deleted', async () => {
    const { id } = await service.createRunning();
    const pid = await service.pid(id);
    await service.app.db.query('DELETE FROM organizations WHERE id = $1', [service.caller.orgId]);
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await eventually(() => expect(stat(service.home(id))).rejects.toThrow('ENOENT'));
  });
});

describe('sandboxes of a host that goes away', () => {
  it('are removed by it when it returns after their deletion was given up', async () => {
    const service = await SandboxService.start();
    try {
      const { id } = await service.createRunning();
      const pid = await service.pid(id);
      const { db } = service.app;
      await db.query(`UPDATE sandboxes SET host_id = 'away' WHERE id = $1`, [id]);
      // Jobs of its host that were added before, even those that still wait, would see the deletion, and do it here. Those that
      // are added for the host that is away wait for it.
      await runNow(db, 'sandbox-watch@test-host');
      await eventually(async () =>
        expect(
          await db.query(
            `SELECT 1 FROM graphile_worker.jobs WHERE key = $1 AND task_identifier LIKE '%@test-host'`,
            [`sandbox:${id}`],
          ),
        ).toEqual([]),
      );
      await db.query(
        `UPDATE sandboxes SET status = 'PAUSED', stopping = 'delete',
                deadline_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      await service.until(id, 'MISSING');
      expect(isAlive(pid)).toBe(true);
      await db.query(`UPDATE sandbox_leftovers SET host_id = 'test-host' WHERE sandbox_id = $1`, [id]);
      await eventually(() => expect(isAlive(pid)).toBe(false));
      await eventually(() => expect(stat(service.home(id))).rejects.toThrow('ENOENT'));
    } finally {
      await service.stop();
    }
  });

  it('are ERROR while it is away and are found again when it returns', async () => {
    const service = await SandboxService.start();
    try {
      const { id } = await service.createRunning();
      const pid = await service.pid(id);
      // As another replica sees it: the host, whose sandbox runs on, was not seen for long.
      await service.app.db.query(`UPDATE sandboxes SET host_id = 'away' WHERE id = $1`, [id]);
      const failed = await service.until(id, 'ERROR');
      expect(failed.status_detail).toBe('The host of the sandbox does not answer.');
      expect(isAlive(pid)).toBe(true);
      await service.app.db.query(`UPDATE sandboxes SET host_id = 'test-host' WHERE id = $1`, [id]);
      await service.restart();
      await service.until(id, 'RUNNING');
      expect(await service.pid(id)).toBe(pid);
    } finally {
      await service.stop();
    }
  });
});
