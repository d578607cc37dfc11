import { cutText, isRecord } from '../../../kernel/common';
import { readEmailAddress } from '../../../kernel/validation';
import type { Resource } from '../record/scim-user.entity';
import { ScimError } from '../record/scim.errors';
import { ENTERPRISE, USER, USERS } from '../schema/attributes';
import { metaOf } from '../schema/meta';
import { assertFits, isUri, readBoolean, readResource } from '../schema/read-resource';
import type { ScimUserRow } from './scim-users.read-model';

/** What a directory says of a person. */
export interface Said {
  readonly resource: Resource;
  readonly userName: string;
  /** Null where it says nothing of it. */
  readonly active: boolean | null;
}

/** Reads a person as a directory sends them, or as a PATCH has left them. @throws ScimError */
export function said(sent: unknown): Said {
  const { active, ...resource } = readResource(USERS, sent);
  const { userName } = resource;
  if (typeof userName !== 'string' || userName.trim() === '')
    throw new ScimError(400, 'invalidValue', 'userName is required.');
  assertFits(resource);
  return {
    resource,
    userName,
    active: active === undefined ? null : readBoolean({ name: 'active' }, active),
  };
}

const MOST = 320;

/**
 * The address of the account: of the addresses the primary one, else the one for work, else the first; else the user name.
 * @throws ScimError where none of them is one
 */
export function addressOf({ resource, userName }: Said): string {
  const emails: unknown = resource['emails'];
  const listed: unknown[] = Array.isArray(emails) ? emails : [];
  const all = listed.filter(isRecord);
  const chosen =
    all.find(({ primary }) => primary === true) ?? all.find(({ type }) => type === 'work') ?? all[0];
  const text = typeof chosen?.['value'] === 'string' ? chosen['value'] : userName;
  const address = text.length > MOST ? null : readEmailAddress(text);
  if (address === null)
    throw new ScimError(400, 'invalidValue', 'A person needs an e-mail address, in emails or as userName.');
  return address.toLowerCase().normalize('NFC');
}

/** The name of the account; null where the directory gives none. */
export function nameOf({ resource }: Pick<Said, 'resource'>): string | null {
  const parts: unknown = resource['name'];
  const name = isRecord(parts) ? parts : {};
  const texts = [
    resource['displayName'],
    name['formatted'],
    [name['givenName'], name['familyName']].filter((part) => typeof part === 'string').join(' '),
  ];
  const found = texts.find((text): text is string => typeof text === 'string' && text.trim() !== '');
  return found === undefined ? null : cutText(found.trim(), 200);
}

/** A person as the directory is shown them. @param base address of the protocol */
export function userResource(row: ScimUserRow, base: string): Resource {
  const groups = row.groups.map(({ value, display }) => ({
    value,
    $ref: `${base}/Groups/${value}`,
    display,
    type: 'direct',
  }));
  const extensions = Object.keys(row.resource).filter(isUri);
  return {
    schemas: [
      USER.id,
      ...extensions.filter((id) => id === ENTERPRISE.id),
      ...extensions.filter((id) => id !== ENTERPRISE.id),
    ],
    id: row.id,
    ...row.resource,
    active: row.active,
    ...(groups.length > 0 && { groups }),
    meta: metaOf(USERS, row, base),
  };
}
