import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { type Organization, useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { KEY_NAME, keyColumns, keyName } from '../../parts/key-columns';
import { KeyForm } from '../../parts/key-form';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import { type Account, memberName } from './account';

type Key = Schemas['ServiceAccountKey'];

/** The keys of a service account. */
export function AccountKeys({ account }: { account: Account }): JSX.Element {
  const organization = useOrganization();
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Key>();
  const path = { org_id: organization.id, account_id: account.id };
  const keys = useLoad(
    async (signal) => {
      const call = api.GET('/api/organizations/{org_id}/service-accounts/{account_id}/keys', {
        params: { path },
        signal,
      });
      return (await bodyOf(call)).items.toReversed();
    },
    [organization.id, account.id],
  );
  return (
    <Section
      title={texts.keys.keys}
      keepsFocus
      actions={
        <button type="button" onClick={() => setMaking(true)}>
          {texts.keys.make}
        </button>
      }
    >
      <p>{texts.serviceAccounts.keysAbout}</p>
      <Shown of={keys}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty />
          ) : (
            <DataTable
              caption={texts.keys.keys}
              rows={rows}
              idOf={({ id }) => String(id)}
              columns={columns(organization, account, setRevoked)}
            />
          )
        }
      </Shown>
      {isMaking && (
        <KeyForm
          permissions={account.permissions.filter(organization.can)}
          scopesHint={texts.serviceAccounts.scopesHint}
          make={async (body) => {
            const { key } = await bodyOf(
              api.POST('/api/organizations/{org_id}/service-accounts/{account_id}/keys', {
                params: { path },
                body,
              }),
            );
            keys.reload();
            return key;
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {revoked !== undefined && (
        <Confirm
          title={say(texts.keys.revokeTitle, { name: keyName(revoked) })}
          label={texts.keys.revokeButton}
          action={async () => {
            await bodyOf(
              api.DELETE('/api/organizations/{org_id}/service-accounts/{account_id}/keys/{key_id}', {
                params: { path: { ...path, key_id: String(revoked.id) } },
              }),
            );
            announce(texts.keys.revoked);
            keys.reload();
          }}
          onClose={() => setRevoked(undefined)}
        >
          <p>{texts.keys.revokeText}</p>
        </Confirm>
      )}
    </Section>
  );
}

function columns(
  organization: Organization,
  account: Account,
  revoke: (key: Key) => void,
): readonly Column<Key>[] {
  return [
    KEY_NAME,
    ...keyColumns(texts.serviceAccounts.mayAll),
    {
      key: 'maker',
      name: texts.serviceAccounts.maker,
      show: ({ made_by_user_id: id }) => memberName(organization, account, id),
    },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (key) => (
        <RowActions>
          <RowAction label={texts.keys.revoke} of={keyName(key)} onClick={() => revoke(key)} />
        </RowActions>
      ),
    },
  ];
}
