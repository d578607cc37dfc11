import type { JSX } from 'preact';
import type { Schemas } from '../api/client';
import { dateTime, say, texts } from '../text';
import { permissionText } from './permissions';
import { When } from './show';
import type { Column } from './table';

export type Key = Schemas['ApiKeyResponse'];

/** What a key is called. */
export function keyName({ id, name }: Pick<Key, 'id' | 'name'>): string {
  return name === null || name.trim() === '' ? say(texts.keys.unnamed, { id: String(id) }) : name;
}

/** What is shown of every key, but for its name, which comes first. @param mayAll what one without scopes may, in words */
export function keyColumns(mayAll: string): readonly Column<Key>[] {
  return [
    { key: 'may', name: texts.keys.may, show: (key) => <May of={key} all={mayAll} /> },
    {
      key: 'used',
      name: texts.keys.lastUsed,
      show: ({ last_used_at }) => (last_used_at === null ? texts.keys.never : <When at={last_used_at} />),
    },
    { key: 'expires', name: texts.keys.expires, show: (key) => <Validity of={key} /> },
    { key: 'made', name: texts.keys.made, show: ({ created_at }) => <When at={created_at} /> },
  ];
}

/** The column of the name. */
export const KEY_NAME: Column<Key> = { key: 'name', name: texts.keys.name, isHeader: true, show: keyName };

/** Whether a key has stopped working by itself. */
export function hasExpired({ expires_at }: Pick<Key, 'expires_at'>): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

function May({ of: { scopes, address_ranges }, all }: { of: Key; all: string }): JSX.Element {
  return (
    <>
      {scopes === null ? all : scopes.map(permissionText).join('; ')}
      {address_ranges !== null && <small class="below">{address_ranges.join(', ')}</small>}
    </>
  );
}

function Validity({ of }: { of: Key }): JSX.Element {
  const { not_before, expires_at } = of;
  return (
    <>
      {expires_at === null
        ? texts.keys.forever
        : hasExpired(of)
          ? say(texts.keys.expired, { time: dateTime(expires_at) })
          : dateTime(expires_at)}
      {not_before !== null && Date.parse(not_before) > Date.now() && (
        <small class="below">{say(texts.keys.from, { time: dateTime(not_before) })}</small>
      )}
    </>
  );
}
