import type { SandboxHandle } from '../../../record/sandbox-driver';
/** What marks the objects of this service in a cluster. */
export declare const MANAGED_BY = "app.kubernetes.io/managed-by";
export declare const SERVICE = "org-conversation-service";
/** Of a sandbox and its pod: the sandbox's id. Claims give pods labels of this domain only. */
export declare const SANDBOX_ID = "sandbox.users.io/id";
/** Of a sandbox: which installation of the service it belongs to. */
export declare const INSTALLATION = "org-conversation-service/installation";
/** Of objects of one organization: its id. */
export declare const ORGANIZATION = "org-conversation-service/organization";
/** Of a sandbox that was suspended because it could not run: the sentence that says why. */
export declare const STOPPED_BECAUSE = "org-conversation-service/stopped-because";
/** Selects what the service has made. */
export declare const OWN = "app.kubernetes.io/managed-by=org-conversation-service";
/** The name of the objects that belong to a sandbox. */
export declare function nameOf(sandboxId: string): string;
/** The claim by which a sandbox that was made ahead became this one: not the name of one that is made for it. */
export declare function claimNameOf(sandboxId: string): string;
/** Labels of a sandbox and of what belongs to it. */
export declare function labelsOf({ id, orgId, installationId, }: Omit<SandboxHandle, 'sessionKey' | 'port'>): Record<string, string>;
