import type { Settings } from '../../../../config';
import type { SandboxHandle } from '../../../record/sandbox-driver';
import type { PodTemplate } from '../kubernetes-options';
/** The pod of one sandbox, with its keys. */
export declare function podOf(sandbox: SandboxHandle, settings: Settings, own: PodTemplate): Record<string, unknown>;
/**
 * A pod that is made ahead, for whichever sandbox comes: its agent server sleeps until it is given keys. Who gives them shows
 * the pod's own id, which only the cluster and the service know, and which is of no use afterwards.
 */
export declare function podAhead(settings: Settings, own: PodTemplate, labels: Readonly<Record<string, string>>): Record<string, unknown>;
