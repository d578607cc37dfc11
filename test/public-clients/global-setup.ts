import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { ensureAutomation } from '../../scripts/automation-environment';
import { ensureCloudWorkspace } from '../../scripts/cloud-workspace-environment';
import baseSetup from '../support/global-setup';

/** Runs once before all tests: makes what they download, which takes as long as it takes. */
export default async function globalSetup(): Promise<void> {
  await ensureAgentServer();
  await ensureAutomation();
  await ensureCloudWorkspace();
  await baseSetup();
}
