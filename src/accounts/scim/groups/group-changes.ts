import { isRecord, parseUuid } from '../../../kernel/common';
import type { Libraries } from '../protocol/libraries';
import type { PatchOperation } from '../patch/patch-operations';
import { patched } from '../patch/patch-resource';
import type { Resource } from '../record/scim-user.entity';
import { ScimError } from '../record/scim.errors';
import { attributePath } from '../schema/attribute-path';
import { GROUPS } from '../schema/attributes';
import { assertFits, readResource } from '../schema/read-resource';

/** What a directory says of a group. */
export interface SaidOfGroup {
  readonly resource: Resource;
  /** Ids of people as they were sent; null where it says nothing of them. */
  readonly members: readonly string[] | null;
}

/** Reads a group as a directory sends it, or as a PATCH has left it. @throws ScimError */
export function saidOfGroup(sent: unknown): SaidOfGroup {
  const { members, ...resource } = readResource(GROUPS, sent);
  const { displayName } = resource;
  if (typeof displayName !== 'string' || displayName.trim() === '')
    throw new ScimError(400, 'invalidValue', 'displayName is required.');
  assertFits(resource);
  return { resource, members: members === undefined ? null : idsIn(members) };
}

/** A change of who is in a group: of some, or in place of all. */
export interface MemberChange {
  readonly op: 'add' | 'remove' | 'replace';
  readonly ids: readonly string[];
}

/** What a PATCH does to a group: it is its own way for members, of whom there are thousands. */
export interface GroupPatch {
  readonly resource: Resource;
  readonly members: readonly MemberChange[];
}

/** @throws ScimError */
export function patchedGroup(
  resource: Resource,
  operations: readonly PatchOperation[],
  libraries: Pick<Libraries, 'parse' | 'stringify' | 'scimPatch'>,
): GroupPatch {
  const members: MemberChange[] = [];
  const others: PatchOperation[] = [];
  for (const operation of operations) {
    const target = attributePath(GROUPS, operation.path);
    if (target?.attribute.name !== 'members') others.push(operation);
    else members.push(memberChange(operation, target.filter, libraries));
  }
  return { resource: saidOfGroup(patched(GROUPS, resource, others, libraries)).resource, members };
}

/** `remove` takes out those of the filter, those of the value, or all. */
function memberChange(
  { op, value }: PatchOperation,
  filter: string | null,
  { parse }: Pick<Libraries, 'parse'>,
): MemberChange {
  if (filter !== null) {
    if (op !== 'remove')
      throw new ScimError(400, 'invalidPath', 'Members are chosen by a filter to remove them.');
    return { op, ids: [idIn(filter, parse)] };
  }
  const hasValue = value !== undefined && value !== null;
  if (op === 'remove' && !hasValue) return { op: 'replace', ids: [] };
  return { op, ids: hasValue ? idsIn(value) : [] };
}

function idIn(filter: string, parse: Libraries['parse']): string {
  const parsed = parsedOrNull(filter, parse);
  if (
    parsed !== null &&
    'compValue' in parsed &&
    parsed.op === 'eq' &&
    parsed.attrPath.toLowerCase() === 'value'
  )
    return String(parsed.compValue);
  throw new ScimError(400, 'invalidPath', 'Members are chosen by value eq.');
}

function parsedOrNull(filter: string, parse: Libraries['parse']): ReturnType<typeof parse> | null {
  try {
    return parse(filter);
  } catch {
    return null;
  }
}

function idsIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    const id = isRecord(item) ? item['value'] : item;
    if (typeof id === 'string') return id;
    throw new ScimError(400, 'invalidValue', 'A member needs a value, the id of a person.');
  });
}

/** The ids that can be some, each once, and those that cannot. */
export function sortedIds(ids: readonly string[]): {
  readonly known: string[];
  readonly malformed: string[];
} {
  const known = new Set<string>();
  const malformed: string[] = [];
  for (const text of ids) {
    const id = parseUuid(text);
    if (id === null) malformed.push(text);
    else known.add(id);
  }
  return { known: [...known], malformed };
}
