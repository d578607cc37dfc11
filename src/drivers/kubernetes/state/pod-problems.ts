import type { ContainerStatus, Pod } from './cluster-objects';
import { conditionOf } from './cluster-objects';

/** Why a pod does not run: for good, until somebody starts it again, or for now. */
interface PodProblem {
  readonly sentence: string;
  /** `ended`: the pod is over. `stuck`: it will not run as it is. `waiting`: it may run in a moment. */
  readonly kind: 'ended' | 'stuck' | 'waiting';
}

const OOM_EXIT = 137;
/** The exit codes of a process that was asked to end. */
const STOPPED_EXITS = new Set([0, 143]);
const IMAGE_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'RegistryUnavailable',
  'ImageInspectError',
]);
/** Reasons that a retry does not fix. */
const IMAGE_ERRORS = new Set(['InvalidImageName', 'ErrImageNeverPull', 'SignatureValidationFailed']);
const UNKNOWN_IMAGE =
  /not found|does not exist|manifest unknown|unauthorized|denied|authentication required|no such host|pull access|authorization failed|failed to resolve reference/i;
const RUNS_AS_ROOT = /runAsNonRoot|run as root|non-numeric user/i;
/** Not even its start fits. */
const TOO_LITTLE_MEMORY = /OOM-killed|memory limit too low/;
const MAX_WORDS = 400;

/**
 * Why a pod does not run, as one sentence for the owner of the sandbox.
 * @returns null where nothing does
 */
export function problemOf(pod: Pod): PodProblem | null {
  return endOf(pod) ?? waitOf(pod);
}

function endOf(pod: Pod): PodProblem | null {
  if (pod.phase !== 'Failed' && pod.phase !== 'Succeeded') return null;
  return { kind: 'ended', sentence: endSentence(pod) };
}

function endSentence(pod: Pod): string {
  if (pod.reason === 'Evicted')
    return `The node evicted the sandbox: ${words(pod.message)}. Resume it to run it again, on another node if need be.`;
  const disrupted = conditionOf(pod, 'DisruptionTarget');
  if (disrupted?.status === 'True')
    return `The cluster ended the sandbox: ${words(disrupted.message)}. Resume it to run it again.`;
  if (pod.reason === 'DeadlineExceeded') return 'The sandbox was ended at the deadline of its pod.';
  const ended = containersOf(pod).find(({ state }) => state.terminated !== undefined);
  if (ended?.state.terminated !== undefined) return terminated(ended.name, ended.state.terminated);
  if (pod.reason !== '' || pod.message !== '')
    return `The node ended the sandbox: ${words([pod.reason, pod.message].filter((text) => text !== '').join(', '))}.`;
  return 'The pod of the sandbox ended.';
}

function terminated(
  container: string,
  { reason, message, exitCode }: { reason: string; message: string; exitCode: number },
): string {
  if (reason === 'OOMKilled' || TOO_LITTLE_MEMORY.test(message))
    return 'The sandbox used more memory than it may (out of memory) and was ended.';
  if (reason === 'StartError' || reason === 'ContainerCannotRun')
    return `The image cannot be run: ${words(message)}.`;
  const what = container === 'agent-server' ? 'The agent server' : `The container ${container}`;
  const signalled = exitCode > 128 ? ` (signal ${exitCode - 128})` : '';
  return `${what} ended with exit code ${exitCode}${signalled}${guessed(exitCode)}.`;
}

/** A guess at what the cluster omits: it forgets an eviction when the process of the pod exits with 0. */
function guessed(exitCode: number): string {
  if (exitCode === OOM_EXIT) return ', perhaps for lack of memory';
  if (!STOPPED_EXITS.has(exitCode)) return '';
  return ', perhaps because its node evicted it for the disk or memory that it took, or was shut down';
}

function waitOf(pod: Pod): PodProblem | null {
  for (const { name, state, lastState, restartCount } of containersOf(pod)) {
    const { waiting } = state;
    if (waiting === undefined) continue;
    const problem = waitingProblem(name, waiting, lastState, restartCount);
    if (problem !== null) return problem;
  }
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return { kind: 'waiting', sentence: unschedulable(scheduled.message) };
  return null;
}

function waitingProblem(
  container: string,
  { reason, message }: { reason: string; message: string },
  lastState: ContainerStatus['lastState'],
  restarts: number,
): PodProblem | null {
  if (IMAGE_ERRORS.has(reason)) return { kind: 'stuck', sentence: imageSentence(message) };
  if (IMAGE_REASONS.has(reason))
    return { kind: UNKNOWN_IMAGE.test(message) ? 'stuck' : 'waiting', sentence: imageSentence(message) };
  if (reason === 'CrashLoopBackOff') {
    const last = lastState.terminated;
    const how = last === undefined ? '' : ` ${terminated(container, last)}`;
    return {
      kind: 'stuck',
      sentence: `The sandbox crashes again and again (${restarts} ${restarts === 1 ? 'restart' : 'restarts'}).${how}`,
    };
  }
  if (reason === 'CreateContainerConfigError' && RUNS_AS_ROOT.test(message))
    return {
      kind: 'stuck',
      sentence: `The image wants to run as root, which sandboxes may not: ${words(message)}. Set a numeric user in SANDBOX_IMAGE or in KUBERNETES_POD_TEMPLATE.`,
    };
  if (
    reason === 'CreateContainerConfigError' ||
    reason === 'CreateContainerError' ||
    reason === 'RunContainerError'
  )
    return { kind: 'waiting', sentence: `The container cannot be made: ${words(message)}.` };
  return null;
}

function imageSentence(message: string): string {
  return `The image of the sandbox cannot be pulled: ${words(message)}. Check SANDBOX_IMAGE and the credentials for its registry.`;
}

function unschedulable(message: string): string {
  if (/unbound immediate PersistentVolumeClaims|no persistent volumes|storageclass/i.test(message))
    return `No node takes the sandbox, because its volume is not made: ${words(message)}. Make a storage class the default one, or set KUBERNETES_STORAGE_CLASS.`;
  return `No node takes the sandbox: ${words(message)}. Add nodes, pause other sandboxes, or ask for less memory and CPU.`;
}

function containersOf({ initContainerStatuses, containerStatuses }: Pod): readonly ContainerStatus[] {
  return [...initContainerStatuses, ...containerStatuses];
}

/** Somebody else's words, within a sentence. */
export function words(text: string): string {
  return (
    text
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/[.:]+$/, '')
      .slice(0, MAX_WORDS) || 'it does not say why'
  );
}
