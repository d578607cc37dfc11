import { agentServerFile } from '../../agent-server-environment';
import type { SandboxHandle } from '../../../sandboxes/driver-port';
import { labelsOf, nameOf } from './labels';
import { KEY_FILE } from './pod-template';

/** The keys of a sandbox's agent server, as the file that it reads. */
export function keysSecret(sandbox: SandboxHandle, namespace: string): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: nameOf(sandbox.id), namespace, labels: labelsOf(sandbox) },
    type: 'Opaque',
    stringData: { [KEY_FILE]: agentServerFile(sandbox.sessionKey) },
  };
}
