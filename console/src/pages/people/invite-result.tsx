import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { Secret } from '../../parts/show';
import { DataTable } from '../../parts/table';
import { count, texts } from '../../text';
import { MailState } from './mail-state';

/** What became of each address of an invitation. */
export function InviteResult({ of }: { of: Schemas['BatchInvitationResponse'] }): JSX.Element {
  const { successful, failed } = of;
  const links = successful.flatMap(({ email, invite_url }) =>
    invite_url === null ? [] : [`${email} ${invite_url}`],
  );
  return (
    <>
      {successful.length > 0 && (
        <>
          <h3>{count(successful.length, texts.people.invited)}</h3>
          <DataTable
            caption={count(successful.length, texts.people.invited)}
            rows={successful}
            idOf={({ id }) => String(id)}
            columns={[
              { key: 'email', name: texts.people.address, isHeader: true, show: ({ email }) => email },
              { key: 'role', name: texts.people.role, show: ({ role }) => texts.console.roles[role] },
              { key: 'mail', name: texts.people.mail, show: (row) => <MailState of={row} /> },
            ]}
          />
        </>
      )}
      {failed.length > 0 && (
        <>
          <h3>{count(failed.length, texts.people.notInvited)}</h3>
          <DataTable
            caption={count(failed.length, texts.people.notInvited)}
            rows={failed.map((failure, place) => ({ ...failure, place }))}
            idOf={({ place }) => String(place)}
            columns={[
              { key: 'email', name: texts.people.address, isHeader: true, show: ({ email }) => email },
              { key: 'why', name: texts.people.why, show: ({ error }) => error },
            ]}
          />
        </>
      )}
      {!of.email_delivery_configured && links.length > 0 && (
        <>
          <p>{texts.people.noMail}</p>
          <Secret name={texts.people.links} value={links.join('\n')} note={texts.people.linksNote} />
        </>
      )}
    </>
  );
}
