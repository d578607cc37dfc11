import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { type Organization, useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Page } from '../../parts/page';
import { permissionText } from '../../parts/permissions';
import { TextList } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import { RoleForm } from './role-form';

export type OwnRole = Schemas['OrgRoleResponse'];

/** What is asked for: a form for a new role or for one that is there, or to delete one. */
type Asked = { readonly what: 'new' } | { readonly what: 'change' | 'deletion'; readonly role: OwnRole };

/** The roles that the organization made. */
export default function Roles(): JSX.Element {
  const organization = useOrganization();
  const org_id = organization.id;
  const [asked, setAsked] = useState<Asked>();
  const roles = useLoad(
    (signal) =>
      bodyOf(api.GET('/api/organizations/{org_id}/roles', { params: { path: { org_id } }, signal })),
    [org_id],
  );
  const close = (): void => setAsked(undefined);
  const done = (sentence: string, name: string): void => {
    announce(say(sentence, { name }));
    roles.reload();
  };
  return (
    <Page
      title={texts.menu.roles}
      actions={
        organization.can('manage_roles') && (
          <button type="button" onClick={() => setAsked({ what: 'new' })}>
            {texts.roles.make}
          </button>
        )
      }
    >
      <p>{texts.roles.about}</p>
      <Shown of={roles}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty />
          ) : (
            <DataTable
              caption={texts.menu.roles}
              rows={items}
              idOf={({ id }) => id}
              columns={columns(organization, setAsked)}
            />
          )
        }
      </Shown>
      {asked?.what === 'new' && (
        <RoleForm
          title={texts.roles.make}
          save={async (body) => {
            const params = { path: { org_id } };
            const { name } = await bodyOf(api.POST('/api/organizations/{org_id}/roles', { params, body }));
            done(texts.roles.made, name);
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'change' && (
        <RoleForm
          title={say(texts.roles.changeTitle, { name: asked.role.name })}
          role={asked.role}
          save={async (body) => {
            const params = { path: { org_id, role_id: asked.role.id } };
            await bodyOf(api.PATCH('/api/organizations/{org_id}/roles/{role_id}', { params, body }));
            done(texts.roles.changed, body.name);
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'deletion' && (
        <Confirm
          title={say(texts.roles.deleteTitle, { name: asked.role.name })}
          label={texts.roles.deleteButton}
          action={async () => {
            const params = { path: { org_id, role_id: asked.role.id } };
            await bodyOf(api.DELETE('/api/organizations/{org_id}/roles/{role_id}', { params }));
            done(texts.roles.deleted, asked.role.name);
          }}
          onClose={close}
        >
          <p>{texts.roles.deleteText}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** Nobody changes a role that grants what they lack, or their own; the service has the last word. */
function mayChange({ me, can }: Organization, role: OwnRole): boolean {
  return can('manage_roles') && me.own_role?.id !== role.id && role.permissions.every(can);
}

function columns(organization: Organization, ask: (asked: Asked) => void): readonly Column<OwnRole>[] {
  return [
    { key: 'name', name: texts.roles.name, isHeader: true, show: ({ name }) => name },
    {
      key: 'permissions',
      name: texts.roles.permissions,
      show: ({ permissions }) => <TextList of={permissions.map(permissionText)} />,
    },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (role) =>
        mayChange(organization, role) && (
          <RowActions>
            <RowAction
              label={texts.roles.change}
              of={role.name}
              onClick={() => ask({ what: 'change', role })}
            />
            <RowAction
              label={texts.roles.delete}
              of={role.name}
              onClick={() => ask({ what: 'deletion', role })}
            />
          </RowActions>
        ),
    },
  ];
}
