import type { SandboxView } from '../record/sandbox-view';
import type { Sandbox } from '../record/sandbox.entity';
import type { SandboxInfo } from './sandboxes.dto';

/** A sandbox as its creator sees it. */
export function sandboxInfo(
  sandbox: Sandbox,
  view: Pick<SandboxView, 'publicUrl' | 'sessionApiKey'>,
): SandboxInfo {
  const { port } = sandbox;
  return {
    id: sandbox.id,
    created_by_user_id: sandbox.createdByUserId,
    sandbox_spec_id: sandbox.driver,
    status: sandbox.status,
    session_api_key: view.sessionApiKey,
    exposed_urls:
      view.publicUrl === null || port === null ? null : [{ name: 'AGENT_SERVER', url: view.publicUrl, port }],
    created_at: sandbox.createdAt.toISOString(),
    status_detail: sandbox.statusDetail,
  };
}
