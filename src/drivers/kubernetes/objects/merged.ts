import { isRecord } from '../../../kernel/common';

/** Lists whose items have names: they are merged item by item, as Kubernetes does. */
const KEYED: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  ports: 'containerPort',
  imagePullSecrets: 'name',
};

/**
 * What a template becomes with changes to it: objects are merged, lists of named items by their names, all else is replaced;
 * null removes.
 * @param field the one that both are the value of
 */
export function merged(base: unknown, changes: unknown, field = ''): unknown {
  if (changes === undefined) return base;
  if (isRecord(base) && isRecord(changes)) {
    const names = [...new Set([...Object.keys(base), ...Object.keys(changes)])];
    const kept = names.filter((name) => changes[name] !== null);
    return Object.fromEntries(kept.map((name) => [name, merged(base[name], changes[name], name)]));
  }
  const key = KEYED[field];
  if (key !== undefined && Array.isArray(base) && Array.isArray(changes))
    return mergedItems(base, changes, key);
  return changes;
}

function mergedItems(base: readonly unknown[], changes: readonly unknown[], key: string): unknown[] {
  const result = [...base];
  for (const change of changes) {
    const at = result.findIndex(
      (item) => nameOf(item, key) !== undefined && nameOf(item, key) === nameOf(change, key),
    );
    if (at === -1) result.push(change);
    else result[at] = merged(result[at], change);
  }
  return result;
}

function nameOf(item: unknown, key: string): unknown {
  return isRecord(item) ? item[key] : undefined;
}
