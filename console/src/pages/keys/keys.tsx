import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { hasExpired, type Key, KEY_NAME, keyColumns, keyName } from '../../parts/key-columns';
import { useLoad } from '../../parts/load';
import { Page, Section } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { texts } from '../../text';
import { MakeKey } from './make-key';
import { OwnData } from './own-data';
import { RevokeKey } from './revoke-key';
import { RotateKey } from './rotate-key';
import { Rules } from './rules';
import { Sessions } from './sessions';

/** Keys and sessions of a person, and the key that they are signed in with. */
export interface Credentials {
  readonly keys: readonly Key[];
  readonly sessions: readonly Schemas['BrowserSessionResponse'][];
  readonly current: Schemas['CurrentApiKey'];
}

/** What is asked for: a form for a new key, or something with one that is there. */
type Asked = { readonly what: 'new' } | { readonly what: 'rotation' | 'revocation'; readonly key: Key };

/** Keys and sessions of the person, and what the organization asks of keys. */
export default function Keys(): JSX.Element {
  const { id, header, can } = useOrganization();
  const [asked, setAsked] = useState<Asked>();
  const loaded = useLoad(
    async (signal): Promise<Credentials> => {
      const call = { params: { header }, signal };
      const [keys, sessions, current] = await Promise.all([
        bodyOf(api.GET('/api/keys', call)),
        bodyOf(api.GET('/api/sessions', call)),
        bodyOf(api.GET('/api/keys/current', call)),
      ]);
      return { keys: keys.toReversed(), sessions, current };
    },
    [id],
  );
  const close = (): void => setAsked(undefined);
  return (
    <Page
      title={texts.menu.keys}
      actions={
        <button type="button" onClick={() => setAsked({ what: 'new' })}>
          {texts.keys.make}
        </button>
      }
    >
      <Shown of={loaded}>
        {(credentials) => (
          <>
            <Section title={texts.keys.keys}>
              <p>{texts.keys.about}</p>
              {credentials.keys.length === 0 ? (
                <Empty />
              ) : (
                <DataTable
                  caption={texts.keys.keys}
                  rows={credentials.keys}
                  idOf={(key) => String(key.id)}
                  columns={columns(id, setAsked)}
                />
              )}
            </Section>
            <Sessions {...credentials} onEnded={loaded.reload} />
            {asked?.what === 'revocation' && (
              <RevokeKey revoked={asked.key} {...credentials} onRevoked={loaded.reload} onClose={close} />
            )}
            {asked?.what === 'rotation' && (
              <RotateKey
                rotated={asked.key}
                isOwn={credentials.current.id === asked.key.id}
                onRotated={loaded.reload}
                onClose={close}
              />
            )}
          </>
        )}
      </Shown>
      {can('view_org_settings') && <Rules />}
      <OwnData />
      {asked?.what === 'new' && (
        <MakeKey
          mayReachAll={loaded.data?.current.bound_org_id === null}
          onMade={loaded.reload}
          onClose={close}
        />
      )}
    </Page>
  );
}

/** @param orgId the organization of the page */
function columns(orgId: string, ask: (asked: Asked) => void): readonly Column<Key>[] {
  return [
    KEY_NAME,
    { key: 'reach', name: texts.keys.reach, show: (key) => reachOf(key, orgId) },
    ...keyColumns(texts.keys.mayAll),
    {
      key: 'actions',
      name: texts.table.actions,
      show: (key) => (
        <RowActions>
          {key.prefix !== null && !hasExpired(key) && (
            <RowAction
              label={texts.keys.rotate}
              of={keyName(key)}
              onClick={() => ask({ what: 'rotation', key })}
            />
          )}
          <RowAction
            label={texts.keys.revoke}
            of={keyName(key)}
            onClick={() => ask({ what: 'revocation', key })}
          />
        </RowActions>
      ),
    },
  ];
}

function reachOf({ org_id }: Key, orgId: string): string {
  if (org_id === null) return texts.keys.reachAll;
  return org_id === orgId ? texts.keys.reachHere : texts.keys.reachOther;
}
