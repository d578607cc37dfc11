/**
 * `npm run python:install`: makes the environments of Python that `.ci/run` uses, while it runs tests that need none of them. One
 * that cannot be made now is made by the tests that need it.
 */
import { ensureAgentServer } from './agent-server-environment';
import { ensureAutomation } from './automation-environment';
import { ensureCloudWorkspace } from './cloud-workspace-environment';
import { ensureOcsf } from './ocsf-environment';
import { ensurePythonClient } from './python-client-environment';
import { ensureSchemathesis } from './schemathesis-environment';
import { ensureScimTester } from './scim-tester-environment';
import { ensureStandardWebhooks } from './standardwebhooks-environment';

/** Those that are needed first come first. */
const ENVIRONMENTS = [
  ensureAgentServer,
  ensureCloudWorkspace,
  ensureAutomation,
  ensureStandardWebhooks,
  ensureSchemathesis,
  ensurePythonClient,
  ensureScimTester,
  ensureOcsf,
];

async function main(): Promise<void> {
  for (const ensure of ENVIRONMENTS)
    await ensure().catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    });
}

void main();
