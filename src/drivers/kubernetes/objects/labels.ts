import type { SandboxHandle } from '../../../sandboxes/driver-port';

/** What marks the objects of this service in a cluster. */
export const MANAGED_BY = 'app.kubernetes.io/managed-by';
export const SERVICE = 'org-conversation-service';

/** Of a sandbox and its pod: the sandbox's id. Claims give pods labels of this domain only. */
export const SANDBOX_ID = 'sandbox.users.io/id';
/** Of a sandbox: which installation of the service it belongs to. */
export const INSTALLATION = 'org-conversation-service/installation';
/** Of objects of one organization: its id. */
export const ORGANIZATION = 'org-conversation-service/organization';
/** Of a sandbox that was suspended because it could not run: the sentence that says why. */
export const STOPPED_BECAUSE = 'org-conversation-service/stopped-because';

/** Selects what the service has made. */
export const OWN = `${MANAGED_BY}=${SERVICE}`;

/** The name of the objects that belong to a sandbox. */
export function nameOf(sandboxId: string): string {
  return `sandbox-${sandboxId}`;
}

/** The claim by which a sandbox that was pre-warmed became this one: not the name of one that is made for it. */
export function claimNameOf(sandboxId: string): string {
  return `claim-${sandboxId}`;
}

/** Labels of the objects of a sandbox. */
export function labelsOf({
  id,
  orgId,
  installationId,
}: Omit<SandboxHandle, 'sessionKey' | 'port'>): Record<string, string> {
  return {
    [MANAGED_BY]: SERVICE,
    [SANDBOX_ID]: id,
    [INSTALLATION]: installationId,
    ...(orgId !== null && { [ORGANIZATION]: orgId }),
  };
}
