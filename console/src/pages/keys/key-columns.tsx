import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { permissionText } from '../../parts/permissions';
import { When } from '../../parts/show';
import { type Column, RowAction, RowActions } from '../../parts/table';
import { dateTime, say, texts } from '../../text';

export type Key = Schemas['ApiKeyResponse'];

/** What a key is called. */
export function keyName({ id, name }: Pick<Key, 'id' | 'name'>): string {
  return name === null || name.trim() === '' ? say(texts.keys.unnamed, { id: String(id) }) : name;
}

/** @param orgId the organization of the page */
export function keyColumns(orgId: string, onRevoke: (key: Key) => void): readonly Column<Key>[] {
  return [
    { key: 'name', name: texts.keys.name, isHeader: true, show: keyName },
    { key: 'reach', name: texts.keys.reach, show: (key) => reachOf(key, orgId) },
    { key: 'may', name: texts.keys.may, show: (key) => <May of={key} /> },
    {
      key: 'used',
      name: texts.keys.lastUsed,
      show: ({ last_used_at }) => (last_used_at === null ? texts.keys.never : <When at={last_used_at} />),
    },
    { key: 'expires', name: texts.keys.expires, show: (key) => <Validity of={key} /> },
    { key: 'made', name: texts.keys.made, show: ({ created_at }) => <When at={created_at} /> },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (key) => (
        <RowActions>
          <RowAction label={texts.keys.revoke} of={keyName(key)} onClick={() => onRevoke(key)} />
        </RowActions>
      ),
    },
  ];
}

function reachOf({ org_id }: Key, orgId: string): string {
  if (org_id === null) return texts.keys.reachAll;
  return org_id === orgId ? texts.keys.reachHere : texts.keys.reachOther;
}

function May({ of: { scopes, address_ranges } }: { of: Key }): JSX.Element {
  return (
    <>
      {scopes === null ? texts.keys.mayAll : scopes.map(permissionText).join('; ')}
      {address_ranges !== null && <small class="below">{address_ranges.join(', ')}</small>}
    </>
  );
}

function Validity({ of: { not_before, expires_at } }: { of: Key }): JSX.Element {
  const now = Date.now();
  const hasExpired = expires_at !== null && Date.parse(expires_at) <= now;
  return (
    <>
      {expires_at === null
        ? texts.keys.forever
        : hasExpired
          ? say(texts.keys.expired, { time: dateTime(expires_at) })
          : dateTime(expires_at)}
      {not_before !== null && Date.parse(not_before) > now && (
        <small class="below">{say(texts.keys.from, { time: dateTime(not_before) })}</small>
      )}
    </>
  );
}
