import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { isRecord, messageOf } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { DriverError } from '../../sandboxes/driver-port';

/** Where the id of an organization goes in `KUBERNETES_NAMESPACE`. */
const PLACEHOLDER = '{org}';

/** The options of the operator for pods, beyond sizes: see docs/kubernetes.md. */
export interface PodTemplate {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** In which namespaces sandboxes are. */
export interface Namespaces {
  /** The one that all are in; null where each organization has one of its own. */
  readonly shared: string | null;
  /** @param orgId null where it is not known, which only a shared namespace bears */
  of(orgId: string | null): string;
  /** Whether objects of a namespace that say whose they are, or do not, can be the service's own. */
  has(namespace: string, orgId: string | null): boolean;
}

/** @param own the namespace that the service is in, or that its kubeconfig names */
export function namespacesOf(
  { KUBERNETES_NAMESPACE = '' }: Pick<Settings, 'KUBERNETES_NAMESPACE'>,
  own: string,
): Namespaces {
  const pattern = KUBERNETES_NAMESPACE === '' ? own : KUBERNETES_NAMESPACE;
  const isShared = !pattern.includes(PLACEHOLDER);
  return {
    shared: isShared ? pattern : null,
    of(orgId) {
      if (isShared) return pattern;
      if (orgId === null) throw new Error('The organization of a sandbox is not known.');
      return pattern.replace(PLACEHOLDER, orgId);
    },
    has: (namespace, orgId) =>
      isShared ? namespace === pattern : orgId !== null && namespace === pattern.replace(PLACEHOLDER, orgId),
  };
}

/**
 * Reads the file of `KUBERNETES_POD_TEMPLATE`: a `PodTemplateSpec`, or the part of it that is to differ, in YAML or JSON.
 * @throws DriverError with what is wrong with it
 */
export async function readPodTemplate(path: string | undefined): Promise<PodTemplate> {
  if (path === undefined) return { metadata: {}, spec: {} };
  const wrong = (what: string, cause?: unknown): DriverError =>
    new DriverError(`KUBERNETES_POD_TEMPLATE: ${path} ${what}.`, { cause });
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw wrong(`cannot be read: ${messageOf(error)}`, error);
  });
  let template: unknown;
  try {
    template = parse(text);
  } catch (error) {
    throw wrong(`is neither YAML nor JSON: ${messageOf(error)}`, error);
  }
  if (!isRecord(template)) throw wrong('is no object with `metadata` and `spec`, as of a PodTemplateSpec');
  const unknown = Object.keys(template).filter((key) => key !== 'metadata' && key !== 'spec');
  if (unknown.length > 0)
    throw wrong(`has ${unknown.join(', ')}, and may have \`metadata\` and \`spec\` only`);
  const { metadata = {}, spec = {} } = template;
  if (!isRecord(metadata) || !isRecord(spec)) throw wrong('has a `metadata` or `spec` that is no object');
  return { metadata, spec };
}
