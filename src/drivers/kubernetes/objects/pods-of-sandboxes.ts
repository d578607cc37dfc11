import type { Settings } from '../../../kernel/config';
import { environmentWithoutKeys, modelEnvironment } from '../../agent-server-environment';
import type { SandboxHandle } from '../../../sandboxes/driver-port';
import type { PodTemplate } from '../kubernetes-options';
import { labelsOf, nameOf } from './labels';
import { AGENT_SERVER_PORT, type EnvironmentVariable, podTemplate, WORKSPACE } from './pod-template';

const OWN_ID = { fieldRef: { fieldPath: 'metadata.uid' } };

/** The pod of one sandbox, with its keys. */
export function podOf(sandbox: SandboxHandle, settings: Settings, own: PodTemplate): Record<string, unknown> {
  return podTemplate(settings, own, {
    labels: labelsOf(sandbox),
    environment: environmentOf(settings),
    secretName: nameOf(sandbox.id),
  });
}

/**
 * A pod that is pre-warmed, for whichever sandbox comes: its agent server sleeps until it is given keys. Who gives them shows
 * the pod's own id, which only the cluster and the service know, and which is of no use afterwards.
 */
export function podAhead(
  settings: Settings,
  own: PodTemplate,
  labels: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const environment: EnvironmentVariable[] = [
    ...environmentOf(settings),
    { name: 'OH_DEFERRED_INIT', value: '1' },
    { name: 'OH_SECRET_KEY', valueFrom: OWN_ID },
    // An agent server that does not know how to wait would be open to everybody without a key.
    { name: 'OH_SESSION_API_KEYS_0', valueFrom: OWN_ID },
  ];
  return podTemplate(settings, own, { labels, environment, secretName: null, probed: true });
}

function environmentOf(settings: Settings): EnvironmentVariable[] {
  const where = { home: WORKSPACE, port: AGENT_SERVER_PORT };
  const variables = { ...environmentWithoutKeys(settings, where), ...modelEnvironment(settings) };
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}
