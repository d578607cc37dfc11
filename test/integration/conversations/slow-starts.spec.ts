import { JobRunner } from '../../../src/kernel/jobs';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';
import { saying } from '../../support/queue/queued-messages';

/** More than a worker runs at once. */
const STARTS = 24;

describe('starts that clone for minutes', () => {
  let doubled: DoubledService;
  let other: AgentServerDouble;

  beforeEach(async () => {
    [doubled, other] = await Promise.all([DoubledService.start(), AgentServerDouble.start()]);
  });

  afterEach(async () => {
    await doubled.close();
    await other.stop();
  });

  it('hold up neither messages of others, nor the notice that a sandbox died, within 10 s', async () => {
    const { service, double } = doubled;
    const isClone = ({ path }: { path: string }): boolean => path.includes('bash');
    double.fail({ kind: 'hang', stored: false }, isClone, Infinity);
    const { sandboxId } = await doubled.conversation();
    const mortal = await doubled.conversation({ sandbox: { baseUrl: other.url } });
    const waiting = await doubled.conversation({ sandbox: { status: 'PAUSED' } });
    const request = { sandbox_id: sandboxId, selected_repository: 'https://github.com/acme/shop' };
    await Promise.all(Array.from({ length: STARTS }, () => service.begin(request)));
    await eventually(() => expect(double.calls.filter(isClone).length).toBeGreaterThanOrEqual(20));

    const path = `/api/v1/conversations/${waiting.id}/pending-messages`;
    expect((await service.call('POST', path, { body: saying('Hello') })).status).toBe(200);
    const beganAt = awakeMs();
    await other.refuse();
    expect((await service.call('POST', `/api/v1/sandboxes/${waiting.sandboxId}/resume`)).status).toBe(200);
    await eventually(() => expect(double.messages(waiting.id).map(({ text }) => text)).toEqual(['Hello']));
    await eventually(async () => {
      const response = await service.call('GET', `/api/v1/sandboxes?id=${mortal.sandboxId}`);
      expect(response.body).toMatchObject([{ status: 'ERROR' }]);
    });
    expect(awakeMs() - beganAt).toBeLessThan(timeBound(10_000));
    await other.accept();
  });

  it('and a worker that takes no jobs at all, do not have others believe that the host is away', async () => {
    const { app } = doubled.service;
    await app.app.get(JobRunner).stop();
    const seenAt = async (): Promise<number> => {
      const [row] = await app.db.query<[{ seen_at: Date }]>('SELECT seen_at FROM sandbox_hosts');
      return row.seen_at.getTime();
    };
    const before = await seenAt();
    await eventually(async () => expect(await seenAt()).toBeGreaterThan(before));
  });
});
