import type { JSX } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useLoad } from '../../parts/load';
import { roleName } from '../../parts/members';
import { Confirm } from '../../parts/modal';
import { Page } from '../../parts/page';
import { permissionText } from '../../parts/permissions';
import { Facts, TextList, When } from '../../parts/show';
import { Shown } from '../../parts/states';
import { say, texts } from '../../text';
import { type Account, ownerName } from './account';
import { AccountForm } from './account-form';
import { AccountIdentity } from './account-identity';
import { AccountKeys } from './account-keys';

/** One service account, what can be done with it, its keys, and whose tokens of a provider act for it. */
export function AccountView({ accountId }: { accountId: string }): JSX.Element {
  const { id: org_id, can, path } = useOrganization();
  const account = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/service-accounts/{account_id}', {
          params: { path: { org_id, account_id: accountId } },
          signal,
        }),
      ),
    [org_id, accountId],
  );
  return (
    <Page title={texts.console.serviceAccount}>
      <p>
        <a href={path('service-accounts')}>{texts.serviceAccounts.all}</a>
      </p>
      <Shown of={account}>
        {(found) => (
          <>
            <AccountFacts account={found} />
            {found.permissions.every(can) && <Actions account={found} onChanged={account.reload} />}
            <AccountKeys account={found} />
            <AccountIdentity account={found} onChanged={account.reload} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function AccountFacts({ account }: { account: Account }): JSX.Element {
  return (
    <Facts
      of={{
        [texts.serviceAccounts.name]: account.name,
        [texts.serviceAccounts.role]: roleName(account),
        [texts.serviceAccounts.owner]: ownerName(account),
        [texts.serviceAccounts.since]: <When at={account.created_at} />,
        [texts.serviceAccounts.may]: <TextList of={account.permissions.map(permissionText)} />,
      }}
    />
  );
}

/** Changing and deleting, for who has all that the account may; the service has the last word. */
function Actions({ account, onChanged }: { account: Account; onChanged: () => void }): JSX.Element {
  const { id: org_id, path } = useOrganization();
  const { route } = useLocation();
  const [open, setOpen] = useState<'change' | 'deletion'>();
  const params = { path: { org_id, account_id: account.id } };
  const { name } = account;
  const close = (): void => setOpen(undefined);
  return (
    <div class="buttons start">
      <button type="button" class="secondary outline" onClick={() => setOpen('change')}>
        {texts.serviceAccounts.change}
      </button>
      <button type="button" class="secondary outline" onClick={() => setOpen('deletion')}>
        {texts.serviceAccounts.delete}
      </button>
      {open === 'change' && (
        <AccountForm
          title={say(texts.serviceAccounts.changeTitle, { name })}
          account={account}
          save={async (body) => {
            const changed = await bodyOf(
              api.PATCH('/api/organizations/{org_id}/service-accounts/{account_id}', { params, body }),
            );
            announce(say(texts.serviceAccounts.changed, { name: changed.name }));
            onChanged();
          }}
          onClose={close}
        />
      )}
      {open === 'deletion' && (
        <Confirm
          title={say(texts.serviceAccounts.deleteTitle, { name })}
          label={texts.serviceAccounts.deleteButton}
          action={async () => {
            await bodyOf(api.DELETE('/api/organizations/{org_id}/service-accounts/{account_id}', { params }));
            announce(say(texts.serviceAccounts.deleted, { name }));
            route(path('service-accounts'));
          }}
          onClose={close}
        >
          <TextList of={texts.serviceAccounts.deletion} />
        </Confirm>
      )}
    </div>
  );
}
