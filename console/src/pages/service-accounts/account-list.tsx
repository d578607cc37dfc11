import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useLoad } from '../../parts/load';
import { roleName } from '../../parts/members';
import { Page } from '../../parts/page';
import { When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable } from '../../parts/table';
import { say, texts } from '../../text';
import { type Account, ownerName } from './account';
import { AccountForm } from './account-form';

/** The service accounts of the organization, and how to make one. */
export function AccountList(): JSX.Element {
  const { id: org_id, path } = useOrganization();
  const [isMaking, setMaking] = useState(false);
  const params = { path: { org_id } };
  const accounts = useLoad(
    (signal) => bodyOf(api.GET('/api/organizations/{org_id}/service-accounts', { params, signal })),
    [org_id],
  );
  return (
    <Page
      title={texts.menu.serviceAccounts}
      actions={
        <button type="button" onClick={() => setMaking(true)}>
          {texts.serviceAccounts.make}
        </button>
      }
    >
      <p>{texts.serviceAccounts.about}</p>
      <Shown of={accounts}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{texts.serviceAccounts.none}</Empty>
          ) : (
            <DataTable
              caption={texts.menu.serviceAccounts}
              rows={items}
              idOf={({ id }) => id}
              columns={columns(path)}
            />
          )
        }
      </Shown>
      {isMaking && (
        <AccountForm
          title={texts.serviceAccounts.make}
          save={async (body) => {
            const { name } = await bodyOf(
              api.POST('/api/organizations/{org_id}/service-accounts', { params, body }),
            );
            announce(say(texts.serviceAccounts.made, { name }));
            accounts.reload();
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}

function columns(path: (page: string) => string): readonly Column<Account>[] {
  return [
    {
      key: 'name',
      name: texts.serviceAccounts.name,
      isHeader: true,
      show: ({ id, name }) => <a href={path(`service-accounts/${id}`)}>{name}</a>,
    },
    { key: 'role', name: texts.serviceAccounts.role, show: roleName },
    { key: 'owner', name: texts.serviceAccounts.owner, show: ownerName },
    { key: 'since', name: texts.serviceAccounts.since, show: ({ created_at }) => <When at={created_at} /> },
  ];
}
