import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { Confirm, DialogForm, Modal } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Facts, Secret, When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages, RowAction, RowActions } from '../../parts/table';
import { number, say, texts } from '../../text';
import { type GivenRole, nameOfRole } from './identity';

type Token = Schemas['ScimTokenResponse'];
type Group = Schemas['DirectoryGroupResponse'];

const TOKENS = '/api/organizations/{org_id}/scim-tokens';
const GROUPS = '/api/organizations/{org_id}/scim-groups';

/** The organization's directory, which says over SCIM who is in it: its tokens and its groups. */
export function Directory({ roles }: { roles: readonly GivenRole[] }): JSX.Element {
  return (
    <>
      <Tokens />
      <Groups roles={roles} />
    </>
  );
}

function Tokens(): JSX.Element {
  const { id: org_id } = useOrganization();
  const [asked, setAsked] = useState<'new' | Token>();
  const list = useLoad(
    (signal) => bodyOf(api.GET(TOKENS, { params: { path: { org_id } }, signal })),
    [org_id],
  );
  const close = (): void => setAsked(undefined);
  return (
    <Section
      title={texts.identity.directory}
      actions={
        <button type="button" class="secondary" onClick={() => setAsked('new')}>
          {texts.identity.makeToken}
        </button>
      }
    >
      <p>{texts.identity.directoryAbout}</p>
      <Shown of={list}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Empty />
          ) : (
            <DataTable
              caption={texts.identity.directory}
              rows={tokens}
              idOf={({ id }) => id}
              columns={tokenColumns(setAsked)}
            />
          )
        }
      </Shown>
      {asked === 'new' && <MakeToken onMade={list.reload} onClose={close} />}
      {typeof asked === 'object' && (
        <Confirm
          title={say(texts.identity.revokeToken, { name: asked.name })}
          label={texts.identity.revokeTokenButton}
          action={async () => {
            const params = { path: { org_id, token_id: asked.id } };
            await bodyOf(api.DELETE(`${TOKENS}/{token_id}`, { params }));
            announce(say(texts.identity.tokenRevoked, { name: asked.name }));
            list.reload();
          }}
          onClose={close}
        >
          <p>{texts.identity.revokeTokenText}</p>
        </Confirm>
      )}
    </Section>
  );
}

function tokenColumns(ask: (token: Token) => void): readonly Column<Token>[] {
  return [
    {
      key: 'name',
      name: texts.identity.name,
      isHeader: true,
      show: ({ name, prefix }) => (
        <>
          {name}
          <small class="below">{prefix}…</small>
        </>
      ),
    },
    { key: 'used', name: texts.keys.lastUsed, show: ({ last_used_at }) => <When at={last_used_at} /> },
    { key: 'made', name: texts.keys.made, show: ({ created_at }) => <When at={created_at} /> },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (token) => (
        <RowActions>
          <RowAction label={texts.keys.revoke} of={token.name} onClick={() => ask(token)} />
        </RowActions>
      ),
    },
  ];
}

function MakeToken(props: { onMade: () => void; onClose: () => void }): JSX.Element {
  const { id: org_id } = useOrganization();
  const [made, setMade] = useState<Schemas['ScimTokenCreated']>();
  return (
    <Modal title={texts.identity.makeToken} onClose={props.onClose}>
      {made === undefined ? (
        <DialogForm
          label={texts.identity.makeToken}
          action={async (value) => {
            const body = { name: value('name') };
            setMade(await bodyOf(api.POST(TOKENS, { params: { path: { org_id } }, body })));
            props.onMade();
          }}
          onCancel={props.onClose}
        >
          {(error: Error | undefined) => (
            <Field
              label={texts.identity.name}
              hint={texts.identity.tokenHint}
              error={error}
              field="body.name"
            >
              <input name="name" required autofocus maxLength={255} autocomplete="off" dir="auto" />
            </Field>
          )}
        </DialogForm>
      ) : (
        <>
          <Facts of={{ [texts.identity.baseUrl]: <code>{made.base_url}</code> }} />
          <Secret name={texts.identity.token} value={made.token ?? ''} />
        </>
      )}
    </Modal>
  );
}

function Groups({ roles }: { roles: readonly GivenRole[] }): JSX.Element {
  const { id: org_id } = useOrganization();
  const { query, change } = useAddress();
  const [asked, setAsked] = useState<Group>();
  const pageId = query['groups'] ?? null;
  const list = useLoad(
    (signal) =>
      bodyOf(
        api.GET(GROUPS, { params: { path: { org_id }, query: { page_id: pageId, limit: 50 } }, signal }),
      ),
    [org_id, pageId],
  );
  return (
    <Section title={texts.identity.groups}>
      <p>{texts.identity.groupsAbout}</p>
      <Shown of={list}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty />
            ) : (
              <DataTable
                caption={texts.identity.groups}
                rows={items}
                idOf={({ id }) => id}
                columns={groupColumns(roles, setAsked)}
              />
            )}
            <NextPages
              name={texts.identity.groups}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(next) => change({ groups: next })}
            />
          </>
        )}
      </Shown>
      {asked !== undefined && (
        <Confirm
          title={say(texts.identity.groupTitle, { name: asked.display_name })}
          label={texts.identity.saveGroup}
          action={async (value) => {
            const role = value('role');
            const params = { path: { org_id, group_id: asked.id } };
            const body = { role: role === '' ? null : role };
            await bodyOf(api.PUT(`${GROUPS}/{group_id}`, { params, body }));
            announce(say(texts.identity.groupSaved, { name: asked.display_name }));
            list.reload();
          }}
          onClose={() => setAsked(undefined)}
        >
          {(error: Error | undefined) => (
            <Field label={texts.identity.groupGives} error={error} field="body.role">
              <select name="role">
                <option value="">{texts.identity.nothing}</option>
                {roles.map(({ value, name }) => (
                  <option key={value} value={value} selected={value === asked.role}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          )}
        </Confirm>
      )}
    </Section>
  );
}

function groupColumns(roles: readonly GivenRole[], ask: (group: Group) => void): readonly Column<Group>[] {
  return [
    { key: 'name', name: texts.identity.name, isHeader: true, show: ({ display_name }) => display_name },
    { key: 'members', name: texts.identity.people, isFigure: true, show: ({ members }) => number(members) },
    {
      key: 'role',
      name: texts.identity.groupGives,
      show: ({ role }) => (role === null ? texts.identity.nothing : nameOfRole(roles, role)),
    },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (group) => (
        <RowActions>
          <RowAction label={texts.identity.change} of={group.display_name} onClick={() => ask(group)} />
        </RowActions>
      ),
    },
  ];
}
