import { eventually } from '../../support/eventually';
import { DoubledService } from '../../support/agent-server/doubled-service';
import type { SandboxRecord } from '../../support/agent-server/sandboxes';

/** What the service learns when a driver never comes to an end: the watch ends it, ten seconds late. */
describe('a change of a sandbox that does not get there in time', () => {
  let doubled: DoubledService;

  beforeAll(async () => (doubled = await DoubledService.start()));
  afterAll(() => doubled.close());

  it.each([
    ['a start', { status: 'STARTING' }, 'ERROR'],
    ['a pause', { status: 'PAUSED', stopping: 'pause' }, 'ERROR'],
    ['a deletion', { status: 'PAUSED', stopping: 'delete' }, 'MISSING'],
  ] as const)('%s, ends it all the same', async (_, sandbox, expected) => {
    const { service } = doubled;
    const { sandboxId } = await doubled.conversation({ sandbox });
    // A run claimed it and does not come back; the claim ends by itself.
    await service.app.db.query(
      `UPDATE sandboxes SET deadline_at = now() - interval '11 seconds', fence = 9e15,
              claimed_until = now() + interval '1 second' WHERE id = $1`,
      [sandboxId],
    );
    await eventually(async () => {
      const { body } = await service.call<(SandboxRecord | null)[]>(
        'GET',
        `/api/v1/sandboxes?id=${sandboxId}`,
      );
      const [row] = await service.app.db.query<{ status: string; stopping: string | null }[]>(
        'SELECT status, stopping FROM sandboxes WHERE id = $1',
        [sandboxId],
      );
      expect([row, body[0]?.status]).toEqual([{ status: expected, stopping: null }, expected]);
    });
  });
});
