import { z } from 'zod';
import { json, oneOf, optionalText } from './setting-types';

/** A name of a namespace: 63 characters at most, of which an organization's id has 36. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const AN_ID = '00000000-0000-0000-0000-000000000000';
const LABELS = /^[^\s=,]+=[^\s=,]*(\s*,\s*[^\s=,]+=[^\s=,]*)*$/;

/** The cluster of the `kubernetes` driver. */
export const kubernetesSettings = {
  KUBERNETES_NAMESPACE: optionalText
    .refine(
      (name) => name === undefined || NAMESPACE.test(name.replace('{org}', AN_ID)),
      'must be the name of a namespace',
    )
    .describe(
      'Where the `kubernetes` driver has its sandboxes; with `{org}` in it, a namespace of its own for each organization, which the service makes. Default: the namespace of the service, or of its kubeconfig.',
    ),
  KUBERNETES_POD_ACCESS: oneOf(['address', 'proxy'])
    .optional()
    .describe(
      "How the service reaches pods: at their `address`, or through the API server's `proxy`. Default: `address` where the service runs in the cluster, else `proxy`.",
    ),
  KUBERNETES_POD_TEMPLATE: optionalText.describe(
    'File with what is to differ in the pods of sandboxes, as a `PodTemplateSpec` in YAML or JSON: runtime class, node selector, tolerations, resources and so on.',
  ),
  KUBERNETES_STORAGE_CLASS: optionalText.describe(
    "Storage class of the volumes of sandboxes. Default: the cluster's default one.",
  ),
  KUBERNETES_ADMITTED_PODS: z
    .string()
    .regex(LABELS, 'must be labels such as app=service,tier=api')
    .default('app.kubernetes.io/name=org-conversation-service')
    .describe(
      "Labels of the service's own pods: the only ones that reach sandboxes, where the service runs in the cluster.",
    ),
  KUBERNETES_ORGANIZATION_QUOTA: json(z.record(z.string(), z.string()), '{}').describe(
    'What the sandboxes of one organization may take together where each has a namespace of its own, as `hard` of a `ResourceQuota`: for example `{"requests.memory":"64Gi","persistentvolumeclaims":"50"}`.',
  ),
};
