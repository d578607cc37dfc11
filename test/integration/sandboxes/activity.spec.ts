import { SandboxActivity } from '../../../src/sandboxes/sandboxes/lifecycle/desired-state/sandbox-lifecycle';
import { DoorService } from '../../support/sandbox-access/door-service';
import { awakeMs } from '../../support/awake-clock';
import { eventually } from '../../support/eventually';
import { timeBound } from '../../support/time-bound';

it('a sandbox in use is recorded as that well within the time after which it is paused', async () => {
  const service = await DoorService.start({ SANDBOX_IDLE_SECONDS: '1' });
  try {
    const { id } = await service.sandbox();
    const activity = service.app.app.get(SandboxActivity, { strict: false });
    const recorded = async (): Promise<string | undefined> => {
      const [row] = await service.app.db.query<{ at: string }[]>(
        'SELECT last_activity_at::text AS at FROM sandboxes WHERE id = $1',
        [id],
      );
      return row?.at;
    };
    const times = new Set([await recorded()]);
    const beganAt = awakeMs();
    while (times.size < 4)
      await eventually(async () => {
        activity.touch(id);
        const at = await recorded();
        expect(times.has(at)).toBe(false);
        times.add(at);
      });
    expect(awakeMs() - beganAt).toBeLessThan(timeBound(9_000));
  } finally {
    await service.close();
  }
});
