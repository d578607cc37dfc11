import { isRecord } from '../../../kernel/common';
import { ScimError } from '../record/scim.errors';
import { isUri } from '../schema/read-resource';

/** One operation of a PATCH, in the one form that all of them come down to. */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value: unknown;
  /** Whether the path was named, and not a key of the value: what it names has to be there. */
  readonly isNamed: boolean;
}

const NAMES = ['add', 'replace', 'remove'] as const;

/**
 * Reads the operations of a PATCH tolerantly: their names in any case, one that is not in a list, and an object without a path as
 * one operation for each of its keys, which may be paths themselves.
 * @param limit most operations that there may be
 * @throws ScimError
 */
export function patchOperations(body: unknown, limit: number): PatchOperation[] {
  const sent = isRecord(body) ? (body['Operations'] ?? body['operations']) : undefined;
  const operations: unknown[] = Array.isArray(sent) ? sent : isRecord(sent) ? [sent] : [];
  if (operations.length === 0) throw new ScimError(400, 'invalidSyntax', 'There are no Operations.');
  const read: PatchOperation[] = [];
  for (const operation of operations) {
    read.push(...withinLimit(readOperation(operation), limit));
    withinLimit(read, limit);
  }
  return read;
}

/**
 * Each operation copies the whole resource, and so those that a value stands for count, not those that were sent.
 * @throws ScimError
 */
export function withinLimit<Operations extends readonly PatchOperation[]>(
  operations: Operations,
  limit: number,
): Operations {
  if (operations.length > limit)
    throw new ScimError(400, 'tooMany', `A PATCH has at most ${limit} operations here.`);
  return operations;
}

function readOperation(sent: unknown): PatchOperation[] {
  const { op: name, path, value } = isRecord(sent) ? sent : {};
  const op = NAMES.find((each) => typeof name === 'string' && each === name.toLowerCase());
  if (op === undefined)
    throw new ScimError(400, 'invalidSyntax', 'The op of an operation is add, replace or remove.');
  if (typeof path === 'string' && path.trim() !== '')
    return [{ op, path: path.trim(), value, isNamed: true }];
  if (path !== undefined && path !== null && path !== '')
    throw new ScimError(400, 'invalidPath', 'The path of an operation is a text.');
  if (op === 'remove') throw new ScimError(400, 'noTarget', 'An operation that removes names what in path.');
  if (!isRecord(value)) throw new ScimError(400, 'invalidValue', 'Without a path, the value is an object.');
  return Object.entries(value).flatMap(([key, member]) => ofKey(op, key, member));
}

/** An extension as a key stands for its attributes, one by one. */
function ofKey(op: PatchOperation['op'], key: string, value: unknown): PatchOperation[] {
  if (isUri(key) && isRecord(value))
    return Object.entries(value).map(([name, member]) => ({
      op,
      path: `${key}:${name}`,
      value: member,
      isNamed: false,
    }));
  return [{ op, path: key, value, isNamed: false }];
}
