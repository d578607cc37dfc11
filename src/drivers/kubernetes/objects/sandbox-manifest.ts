import type { Settings } from '../../../kernel/config';
import { SANDBOX_GROUP, SANDBOX_VERSION } from './paths';
import { STOPPED_BECAUSE } from './labels';
import { WORKSPACE_VOLUME } from './pod-template';

/** A sandbox as the cluster is asked for it. */
export function sandboxManifest(
  place: { readonly name: string; readonly namespace: string },
  labels: Readonly<Record<string, string>>,
  podTemplate: Readonly<Record<string, unknown>>,
  settings: Settings,
): Record<string, unknown> {
  return {
    apiVersion: `${SANDBOX_GROUP}/${SANDBOX_VERSION}`,
    kind: 'Sandbox',
    metadata: { ...place, labels, annotations: { [STOPPED_BECAUSE]: '' } },
    spec: { operatingMode: 'Running', podTemplate, volumeClaimTemplates: volumeClaims(settings) },
  };
}

/** The volume of a workspace. */
export function volumeClaims({ SANDBOX_DISK_MEBIBYTES, KUBERNETES_STORAGE_CLASS }: Settings): unknown[] {
  return [
    {
      metadata: { name: WORKSPACE_VOLUME },
      spec: {
        accessModes: ['ReadWriteOnce'],
        ...(KUBERNETES_STORAGE_CLASS !== undefined && { storageClassName: KUBERNETES_STORAGE_CLASS }),
        resources: { requests: { storage: `${SANDBOX_DISK_MEBIBYTES}Mi` } },
      },
    },
  ];
}

/** What makes a sandbox run again, as JSON patch: with the pod as it would be made now. */
export function resumption(podTemplate: Readonly<Record<string, unknown>>): unknown[] {
  return [
    { op: 'add', path: '/spec/podTemplate', value: podTemplate },
    { op: 'add', path: '/spec/operatingMode', value: 'Running' },
    { op: 'add', path: `/metadata/annotations/${STOPPED_BECAUSE.replace('/', '~1')}`, value: '' },
  ];
}

/** What suspends a sandbox, as merge patch. @param because kept with it; empty when somebody wanted it */
export function suspension(because: string): Record<string, unknown> {
  return {
    metadata: { annotations: { [STOPPED_BECAUSE]: because } },
    spec: { operatingMode: 'Suspended' },
  };
}
