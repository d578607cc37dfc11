import type { ErrorBody } from '../../support/service/http';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { SandboxService } from '../../support/agent-server/sandboxes';

describe('the caps on sandboxes that are not paused', () => {
  let service: SandboxService;

  beforeEach(async () => {
    service = await SandboxService.start({ MAX_SANDBOXES: '4', MAX_SANDBOXES_PER_ORG: '3' });
  });

  afterEach(async () => {
    await service.stop();
  });

  it('hold for one organization, also when many ask at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => service.call<ErrorBody>('POST', '/api/v1/sandboxes')),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(7);
    for (const { headers, body } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(body.code).toBe('concurrency_limit_reached');
      expect(typeof body.detail).toBe('string');
    }
  });

  it('hold for the installation, over all organizations', async () => {
    const other = await makeCaller(service.app.db, (await makeOrg(service.app.db)).id);
    const callers = [service.caller, other];
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => service.call('POST', '/api/v1/sandboxes', callers[n % 2])),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
  });

  it('leave paused ones out, and refuse to resume one beyond them', async () => {
    const first = await service.createRunning();
    await service.call('POST', `/api/v1/sandboxes/${first.id}/pause`);
    await service.until(first.id, 'PAUSED');
    const others = [await service.create(), await service.create(), await service.create()];
    expect((await service.call('POST', `/api/v1/sandboxes/${first.id}/resume`)).status).toBe(429);
    await service.call('DELETE', `/api/v1/sandboxes/${others[0]!.id}`);
    await service.until(others[0]!.id, 'MISSING');
    expect((await service.call('POST', `/api/v1/sandboxes/${first.id}/resume`)).status).toBe(200);
    await service.until(first.id, 'RUNNING');
  });

  it('do not count the place of a sandbox against itself when it is resumed right after its pause', async () => {
    const running = await Promise.all([
      service.createRunning(),
      service.createRunning(),
      service.createRunning(),
    ]);
    const { id } = running[0];
    expect((await service.call('POST', `/api/v1/sandboxes/${id}/pause`)).status).toBe(200);
    expect((await service.call('POST', `/api/v1/sandboxes/${id}/resume`)).status).toBe(200);
    await service.until(id, 'RUNNING');
    expect((await service.call('POST', '/api/v1/sandboxes')).status).toBe(429);
  });
});
