import { eventually } from '../../support/eventually';
import { isAlive, SandboxService } from '../../support/agent-server/sandboxes';

describe('a sandbox of the embedded driver', () => {
  it('runs the agent server that comes along, and ends and begins again with the service', async () => {
    const service = await SandboxService.start({ SANDBOX_DRIVER: 'embedded' });
    try {
      const before = await service.createRunning();
      const pid = await service.pid(before.id);
      const { url } = before.exposed_urls![0]!;
      const info = await fetch(`${url}/server_info`);
      expect(info.status).toBe(200);
      await service.restart({}, async () => {
        await eventually(() => expect(isAlive(pid)).toBe(false));
      });
      expect(await service.until(before.id, 'RUNNING')).toEqual(before);
      expect(await service.pid(before.id)).not.toBe(pid);
    } finally {
      await service.stop();
    }
  });
});
