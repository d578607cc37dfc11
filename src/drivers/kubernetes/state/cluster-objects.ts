import { z } from 'zod';

/** What is kept of the cluster's objects: no more than is asked about, because there may be tens of thousands. */
const metadata = z.object({
  name: z.string(),
  namespace: z.string().default(''),
  uid: z.string().default(''),
  resourceVersion: z.string().default('0'),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
  deletionTimestamp: z.string().optional(),
  ownerReferences: z.array(z.object({ kind: z.string(), name: z.string(), uid: z.string() })).default([]),
});

const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().default(''),
  message: z.string().default(''),
});
export type Condition = z.infer<typeof condition>;

const said = z.object({ reason: z.string().default(''), message: z.string().default('') });

const containerStatus = z.object({
  name: z.string(),
  restartCount: z.number().default(0),
  state: z
    .object({
      waiting: said.optional(),
      terminated: said.extend({ exitCode: z.number().default(0) }).optional(),
    })
    .default({}),
  lastState: z
    .object({ terminated: said.extend({ exitCode: z.number().default(0) }).optional() })
    .default({}),
});
export type ContainerStatus = z.infer<typeof containerStatus>;

const podSchema = z
  .object({
    metadata,
    status: z
      .object({
        phase: z.string().default('Pending'),
        reason: z.string().default(''),
        message: z.string().default(''),
        podIP: z.string().default(''),
        conditions: z.array(condition).default([]),
        initContainerStatuses: z.array(containerStatus).default([]),
        containerStatuses: z.array(containerStatus).default([]),
      })
      .prefault({}),
  })
  .transform(({ metadata: meta, status }) => {
    const { name, namespace, uid, resourceVersion, labels, deletionTimestamp, ownerReferences } = meta;
    /** The sandbox that it is of. */
    const owner = ownerReferences.find(({ kind }) => kind === 'Sandbox') ?? null;
    return { name, namespace, uid, resourceVersion, labels, deletionTimestamp, owner, ...status };
  });
export type Pod = z.infer<typeof podSchema>;

const sandboxSchema = z
  .object({
    metadata,
    spec: z.object({ operatingMode: z.string().default('Running') }).prefault({}),
    status: z.object({ conditions: z.array(condition).default([]) }).prefault({}),
  })
  .transform(({ metadata: { ownerReferences, ...meta }, spec, status }) => ({
    ...meta,
    ...spec,
    ...status,
    /** The claim by which it was given away; null for one that was made for its sandbox. */
    claimName: ownerReferences.find(({ kind }) => kind === 'SandboxClaim')?.name ?? null,
  }));
export type SandboxObject = z.infer<typeof sandboxSchema>;

const claimSchema = z
  .object({
    metadata,
    status: z.object({ sandbox: z.object({ name: z.string().default('') }).prefault({}) }).prefault({}),
  })
  .transform(({ metadata: { name, namespace, uid, resourceVersion, labels }, status }) => ({
    name,
    namespace,
    uid,
    resourceVersion,
    labels,
    sandboxName: status.sandbox.name,
  }));
export type SandboxClaim = z.infer<typeof claimSchema>;

export function readPod(object: unknown): Pod | null {
  return podSchema.safeParse(object).data ?? null;
}

export function readSandbox(object: unknown): SandboxObject | null {
  return sandboxSchema.safeParse(object).data ?? null;
}

export function readClaim(object: unknown): SandboxClaim | null {
  return claimSchema.safeParse(object).data ?? null;
}

/** The condition of a type; undefined where it does not apply. */
export function conditionOf(
  { conditions }: { readonly conditions: readonly Condition[] },
  type: string,
): Condition | undefined {
  return conditions.find((each) => each.type === type);
}
