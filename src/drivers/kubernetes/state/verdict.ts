import { STOPPED_BECAUSE } from '../objects/labels';
import { conditionOf, type Pod, type SandboxObject } from './cluster-objects';
import { problemOf, words } from './pod-problems';

/** The state of a sandbox, derived from the objects of the cluster. */
export interface Verdict {
  /** `stuck`: it is to run, and will not as it is; somebody has to suspend it. */
  readonly state: 'running' | 'stopped' | 'stuck';
  /** Why the pod does not run, or what it waits for. */
  readonly detail?: string;
}

const QUOTA = /exceeded quota|forbidden: exceeded|LimitRange|maximum .* usage per/i;

/**
 * Whether a sandbox runs. One that is being scheduled, pulled, started, or made anew because its pod is gone, counts as running:
 * the cluster takes care of it.
 * @param pods its pods, the newest last
 */
export function verdictOf(sandbox: SandboxObject, pods: readonly Pod[]): Verdict {
  if (sandbox.operatingMode === 'Suspended') return suspended(sandbox);
  const ready = conditionOf(sandbox, 'Ready');
  if (ready?.reason === 'SandboxExpired')
    return { state: 'stopped', detail: 'The sandbox reached the end of its time in the cluster.' };
  const pod = currentPod(pods);
  if (pod?.phase !== 'Running' && ready?.reason === 'ReconcilerError') return unmade(ready.message);
  const problem = pod === undefined ? null : problemOf(pod);
  if (problem !== null)
    return {
      state: problem.kind === 'ended' ? 'stopped' : problem.kind === 'stuck' ? 'stuck' : 'running',
      detail: problem.sentence,
    };
  return { state: 'running' };
}

/** The pod that counts; undefined while there is none. */
export function currentPod(pods: readonly Pod[]): Pod | undefined {
  return pods.findLast(({ deletionTimestamp }) => deletionTimestamp === undefined);
}

function suspended({ annotations }: SandboxObject): Verdict {
  const detail = annotations[STOPPED_BECAUSE];
  return { state: 'stopped', ...(detail !== undefined && detail !== '' && { detail }) };
}

function unmade(message: string): Verdict {
  if (QUOTA.test(message))
    return {
      state: 'stuck',
      detail: `The quota of the namespace is used up: ${words(message)}. Pause or delete sandboxes, or raise it.`,
    };
  return { state: 'running', detail: `The cluster cannot make the sandbox: ${words(message)}.` };
}
