import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { SearchText } from '../../parts/search-text';
import { When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages, RowAction, RowActions } from '../../parts/table';
import { count, say, texts } from '../../text';
import { EraseMember } from './erase-member';
import { ChangeRole, LetIn, Remove } from './member-dialogs';
import { type Member, nameOf, type Rights, rightsOver, roleName } from '../../parts/members';

const PER_PAGE = 50;

/** What a row of the list asks for. */
interface Asked {
  readonly what: 'role' | 'link' | 'removal' | 'erasure';
  readonly member: Member;
}

/** The members of the organization, with what the caller may do about each. */
export function Members(): JSX.Element {
  const organization = useOrganization();
  const { query, change } = useAddress();
  const [asked, setAsked] = useState<Asked>();
  const pageId = query['members'] ?? null;
  const search = query['search'] ?? '';
  const members = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/members', {
          params: { path: { org_id: organization.id }, query: { page_id: pageId, limit: PER_PAGE, search } },
          signal,
        }),
      ),
    [organization.id, pageId, search],
  );
  const close = (): void => setAsked(undefined);
  return (
    <Section title={texts.people.members}>
      <search>
        <Field label={texts.people.find} hint={texts.people.findHint}>
          <SearchText
            value={search}
            onSearch={(text) => change({ search: text === '' ? null : text, members: null }, true)}
          />
        </Field>
      </search>
      <p class="visually-hidden" role="status">
        {search !== '' && members.data !== undefined && !members.isLoading && howMany(members.data)}
      </p>
      <Shown of={members}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty>{texts.people.nobodyFound}</Empty>
            ) : (
              <DataTable
                caption={texts.people.members}
                rows={items}
                idOf={({ user_id }) => user_id}
                columns={[
                  ...COLUMNS,
                  ...(items.some((member) => mayAnything(rightsOver(organization, member)))
                    ? [actionsOf((what, member) => setAsked({ what, member }))]
                    : []),
                ]}
              />
            )}
            <NextPages
              name={texts.people.members}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(id) => change({ members: id })}
            />
          </>
        )}
      </Shown>
      {asked?.what === 'role' && (
        <ChangeRole
          member={asked.member}
          roles={rightsOver(organization, asked.member).roles}
          onChanged={members.reload}
          onClose={close}
        />
      )}
      {asked?.what === 'link' && <LetIn member={asked.member} onClose={close} />}
      {asked?.what === 'removal' && (
        <Remove member={asked.member} onRemoved={members.reload} onClose={close} />
      )}
      {asked?.what === 'erasure' && (
        <EraseMember member={asked.member} onErased={members.reload} onClose={close} />
      )}
    </Section>
  );
}

function howMany({ items, next_page_id }: Schemas['OrgMemberPage']): string {
  return next_page_id === null
    ? count(items.length, texts.people.found)
    : say(texts.people.foundMore, { count: items.length });
}

const COLUMNS: readonly Column<Member>[] = [
  { key: 'person', name: texts.people.person, isHeader: true, show: (member) => <Person of={member} /> },
  { key: 'role', name: texts.people.role, show: roleName },
  { key: 'since', name: texts.people.since, show: ({ created_at }) => <When at={created_at} /> },
];

function Person({ of }: { of: Member }): JSX.Element {
  const { me } = useOrganization();
  const name = nameOf(of);
  return (
    <>
      {name}
      {of.user_id === me.user_id && (
        <>
          {' '}
          <mark>{texts.people.you}</mark>
        </>
      )}
      {of.kind === 'service_account' && <small class="below">{texts.console.serviceAccount}</small>}
      {of.email !== null && name !== of.email && <small class="below">{of.email}</small>}
      {of.status === 'disabled' && <small class="below">{texts.people.disabled}</small>}
    </>
  );
}

function mayAnything({ roles, mayRemove, mayLetIn, mayErase }: Rights): boolean {
  return roles.length > 0 || mayRemove || mayLetIn || mayErase;
}

function actionsOf(ask: (what: Asked['what'], member: Member) => void): Column<Member> {
  return {
    key: 'actions',
    name: texts.table.actions,
    show: (member) => <Actions member={member} onAsk={(what) => ask(what, member)} />,
  };
}

function Actions({ member, onAsk }: { member: Member; onAsk: (what: Asked['what']) => void }): JSX.Element {
  const { roles, mayRemove, mayLetIn, mayErase } = rightsOver(useOrganization(), member);
  const of = nameOf(member);
  return (
    <RowActions>
      {roles.length > 0 && (
        <RowAction label={texts.people.changeRole} of={of} onClick={() => onAsk('role')} />
      )}
      {mayLetIn && <RowAction label={texts.people.signInLink} of={of} onClick={() => onAsk('link')} />}
      {mayRemove && <RowAction label={texts.people.remove} of={of} onClick={() => onAsk('removal')} />}
      {mayErase && <RowAction label={texts.erasure.erase} of={of} onClick={() => onAsk('erasure')} />}
    </RowActions>
  );
}
