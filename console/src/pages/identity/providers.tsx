import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useChange, useLoad } from '../../parts/load';
import { Confirm, Modal } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Facts } from '../../parts/show';
import { Empty, Failure, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import { type GivenRole, nameOfRole } from './identity';
import { ProviderForm } from './provider-form';

export type Provider = Schemas['ProviderResponse'];

const ALL = '/api/organizations/{org_id}/identity-providers';
const ONE = '/api/organizations/{org_id}/identity-providers/{provider_id}';

type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'change' | 'deletion' | 'addresses' | 'exclusive'; readonly provider: Provider };

/** The providers with which people sign in to the organization. */
export function Providers({ roles }: { roles: readonly GivenRole[] }): JSX.Element {
  const { id: org_id } = useOrganization();
  const [asked, setAsked] = useState<Asked>();
  const list = useLoad((signal) => bodyOf(api.GET(ALL, { params: { path: { org_id } }, signal })), [org_id]);
  const close = (): void => setAsked(undefined);
  const done = (sentence: string, name: string): void => {
    announce(say(sentence, { name }));
    list.reload();
  };
  const testing = useChange();
  const test = ({ id, name }: Provider): Promise<boolean> =>
    testing.run(async () => {
      const params = { path: { org_id, provider_id: id } };
      const { problem } = await bodyOf(api.POST(`${ONE}/test`, { params }));
      announce(problem ?? say(texts.identity.works, { name }));
      setProblems((of) => ({ ...of, [id]: problem ?? say(texts.identity.works, { name }) }));
    });
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  return (
    <Section
      title={texts.identity.providers}
      actions={
        <button type="button" class="secondary" onClick={() => setAsked({ what: 'new' })}>
          {texts.identity.addProvider}
        </button>
      }
    >
      <p>{texts.identity.providersAbout}</p>
      {testing.error !== undefined && <Failure error={testing.error} />}
      <Shown of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty />
          ) : (
            <DataTable
              caption={texts.identity.providers}
              rows={items}
              idOf={({ id }) => id}
              columns={columns(roles, problems, setAsked, (provider) => void test(provider))}
            />
          )
        }
      </Shown>
      {asked?.what === 'new' && (
        <ProviderForm
          title={texts.identity.addProvider}
          roles={roles}
          save={async (body) => {
            const made = await bodyOf(api.POST(ALL, { params: { path: { org_id } }, body }));
            done(texts.identity.providerAdded, made.name);
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'change' && (
        <ProviderForm
          title={say(texts.identity.changeProvider, { name: asked.provider.name })}
          provider={asked.provider}
          roles={roles}
          save={async ({ issuer: _, ...body }) => {
            const params = { path: { org_id, provider_id: asked.provider.id } };
            const changed = await bodyOf(api.PATCH(ONE, { params, body }));
            done(texts.identity.providerChanged, changed.name);
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'exclusive' && (
        <Confirm
          title={say(texts.identity.onlyTitle, { name: asked.provider.name })}
          label={asked.provider.exclusive ? texts.identity.onlyOff : texts.identity.onlyOn}
          action={async () => {
            const params = { path: { org_id, provider_id: asked.provider.id } };
            const body = { exclusive: !asked.provider.exclusive };
            await bodyOf(api.PATCH(ONE, { params, body }));
            done(texts.identity.providerChanged, asked.provider.name);
          }}
          onClose={close}
        >
          <p>{asked.provider.exclusive ? texts.identity.onlyOffText : texts.identity.onlyOnText}</p>
        </Confirm>
      )}
      {asked?.what === 'addresses' && (
        <Modal title={say(texts.identity.addressesTitle, { name: asked.provider.name })} onClose={close}>
          <p>{texts.identity.addressesText}</p>
          <Facts
            of={{
              [texts.identity.redirectUri]: <code>{asked.provider.redirect_uri}</code>,
              [texts.identity.logoutUri]: <code>{asked.provider.backchannel_logout_uri}</code>,
            }}
          />
        </Modal>
      )}
      {asked?.what === 'deletion' && (
        <Confirm
          title={say(texts.identity.deleteProvider, { name: asked.provider.name })}
          label={texts.identity.deleteProviderButton}
          action={async () => {
            const params = { path: { org_id, provider_id: asked.provider.id } };
            await bodyOf(api.DELETE(ONE, { params }));
            done(texts.identity.providerDeleted, asked.provider.name);
          }}
          onClose={close}
        >
          <p>{texts.identity.deleteProviderText}</p>
        </Confirm>
      )}
    </Section>
  );
}

function columns(
  roles: readonly GivenRole[],
  problems: Readonly<Record<string, string>>,
  ask: (asked: Asked) => void,
  test: (provider: Provider) => void,
): readonly Column<Provider>[] {
  return [
    {
      key: 'name',
      name: texts.identity.name,
      isHeader: true,
      show: ({ id, name, issuer, exclusive }) => (
        <>
          {name}
          {exclusive && (
            <>
              {' '}
              <mark>{texts.identity.only}</mark>
            </>
          )}
          <small class="below">{issuer}</small>
          {problems[id] !== undefined && <small class="below">{problems[id]}</small>}
        </>
      ),
    },
    {
      key: 'roles',
      name: texts.identity.roles,
      show: ({ default_role, group_roles }) => (
        <>
          {default_role === null ? texts.identity.nobodyNew : nameOfRole(roles, default_role)}
          {group_roles.map(({ group, role }) => (
            <small key={group} class="below">
              {say(texts.identity.groupRole, { group, role: nameOfRole(roles, role) })}
            </small>
          ))}
        </>
      ),
    },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (provider) => (
        <RowActions>
          <RowAction label={texts.identity.test} of={provider.name} onClick={() => test(provider)} />
          <RowAction
            label={texts.identity.addresses}
            of={provider.name}
            onClick={() => ask({ what: 'addresses', provider })}
          />
          <RowAction
            label={texts.identity.change}
            of={provider.name}
            onClick={() => ask({ what: 'change', provider })}
          />
          <RowAction
            label={provider.exclusive ? texts.identity.onlyOff : texts.identity.onlyOn}
            of={provider.name}
            onClick={() => ask({ what: 'exclusive', provider })}
          />
          <RowAction
            label={texts.identity.delete}
            of={provider.name}
            onClick={() => ask({ what: 'deletion', provider })}
          />
        </RowActions>
      ),
    },
  ];
}
