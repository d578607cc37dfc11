/**
 * scim2-tester, which knows the protocol and not this service, against the built one: no check may fail.
 *
 *   npm run test:scim
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureScimTester } from '../../scripts/scim-tester-environment';
import { MeasuredService } from '../schemathesis/service';

const run = promisify(execFile);

const SCRIPT = join(__dirname, 'python', 'scim_tester.py');

interface Result {
  readonly check: string;
  readonly of: string | null;
  readonly status: string;
  readonly reason: string | null;
}

async function main(): Promise<void> {
  const { directory, version, variables } = await ensureScimTester();
  const service = await MeasuredService.start();
  try {
    const headers = { 'X-Access-Token': await service.keyOf('owner'), 'Content-Type': 'application/json' };
    const current = await fetch(`${service.url}/api/keys/current`, { headers });
    const { org_id: orgId } = (await current.json()) as { org_id: string };
    const made = await fetch(`${service.url}/api/organizations/${orgId}/scim-tokens`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'scim2-tester' }),
    });
    const { token } = (await made.json()) as { token: string };
    const { stdout } = await run(
      join(directory, 'bin', 'python'),
      [SCRIPT, `${service.url}/scim/v2`, token],
      { env: { ...process.env, ...variables }, maxBuffer: 64 * 1024 * 1024 },
    );
    const results = JSON.parse(stdout) as Result[];
    const count = (status: string): number => results.filter((result) => result.status === status).length;
    for (const { check, of, status, reason } of results)
      if (status !== 'SUCCESS') console.log(`${status} ${check} ${of ?? ''}: ${reason ?? ''}`);
    const [passed, skipped] = [count('SUCCESS'), count('SKIPPED')];
    console.log(`scim2-tester ${version}: ${passed} checks passed, ${skipped} skipped.`);
    if (passed < 100 || passed + skipped !== results.length) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
