import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../support/compiled/compiled-sources';

const DEMO = ['--require', '@swc-node/register', join(ROOT, 'scripts', 'demo', 'demo.ts')];

describe('the demo of containers', () => {
  it('refuses an image whose agent has no model, before it starts anything', async () => {
    const env = { PATH: process.env.PATH, SANDBOX_IMAGE: 'sandbox:1.58.2' };
    const demo = promisify(execFile)(process.execPath, [...DEMO, '--driver', 'docker'], { cwd: ROOT, env });
    await expect(demo).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^\nThe demo stopped: .*set LLM_MODEL and LLM_API_KEY/) as string,
    });
  });
});
