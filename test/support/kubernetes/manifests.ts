import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { merged } from '../../../src/drivers/kubernetes/objects/pod-template';

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

/** One object of a file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly object: Readonly<Record<string, unknown>>;
}

/** What of kustomize the folders of `deploy/kubernetes` use. */
const kustomizationSchema = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  resources: z.array(z.string()).default([]),
  patches: z.array(z.strictObject({ patch: z.string() })).default([]),
  images: z.array(z.strictObject({ name: z.string(), newTag: z.string() })).default([]),
});

/** The objects of a YAML file. */
export async function readManifests(path: string): Promise<Manifest[]> {
  const documents = parseAllDocuments(await readFile(path, 'utf8'));
  return documents.map((document) => asManifest(document.toJS()));
}

/** What `kubectl kustomize` makes of a folder with components, as far as `deploy/kubernetes` needs it. */
export async function kustomized(folder: string, components: readonly string[] = []): Promise<Manifest[]> {
  let all: Manifest[] = [];
  for (const each of ['.', ...components]) {
    const from = join(folder, each);
    const text = await readFile(join(from, 'kustomization.yaml'), 'utf8');
    const { resources, patches } = kustomizationSchema.parse(parse(text));
    for (const file of resources) all.push(...(await readManifests(join(from, file))));
    for (const { patch } of patches) all = patched(all, parse(patch));
  }
  return all;
}

/** Merges one object into those of its kind and name. */
export function patched(manifests: readonly Manifest[], patch: unknown): Manifest[] {
  const { kind, name } = asManifest(patch);
  if (!manifests.some((each) => each.kind === kind && each.name === name))
    throw new Error(`There is no ${kind} ${name} to patch.`);
  return manifests.map((each) =>
    each.kind === kind && each.name === name ? asManifest(merged(each.object, patch)) : each,
  );
}

function asManifest(value: unknown): Manifest {
  const object = objectSchema.parse(value);
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace, object };
}
