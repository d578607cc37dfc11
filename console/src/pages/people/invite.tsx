import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { DialogForm, Modal } from '../../parts/modal';
import { count, say, texts } from '../../text';
import { addressesIn, MOST_ADDRESSES } from './addresses';
import { InviteResult } from './invite-result';
import { invitableRoles } from '../../parts/members';
import { RoleField } from '../../parts/role-field';

/** Invites several people at once, and shows what became of each address. */
export function Invite(props: { onInvited: () => void; onClose: () => void }): JSX.Element {
  const { onClose } = props;
  const organization = useOrganization();
  const [result, setResult] = useState<Schemas['BatchInvitationResponse']>();
  return (
    <Modal
      title={result === undefined ? texts.people.inviteTitle : texts.people.inviteDone}
      onClose={onClose}
    >
      {result !== undefined ? (
        <InviteResult of={result} />
      ) : (
        <DialogForm
          label={texts.people.inviteButton}
          action={async (value) => {
            const emails = addressesIn(value('emails'));
            const params = { path: { org_id: organization.id } };
            const body = { emails, role: value('role') };
            try {
              setResult(
                await bodyOf(api.POST('/api/organizations/{org_id}/members/invite', { params, body })),
              );
            } catch (error) {
              throw naming(emails, error);
            }
            props.onInvited();
          }}
          onCancel={onClose}
        >
          {(error: Error | undefined) => (
            <>
              <Addresses error={error} />
              <RoleField
                label={texts.people.role}
                roles={invitableRoles(organization)}
                chosen="member"
                error={error}
              />
            </>
          )}
        </DialogForm>
      )}
    </Modal>
  );
}

function Addresses({ error }: { error: Error | undefined }): JSX.Element {
  const [found, setFound] = useState(0);
  return (
    <>
      <Field
        label={texts.people.addresses}
        hint={texts.people.addressesHint}
        error={error}
        field="body.emails"
      >
        <textarea
          name="emails"
          rows={6}
          required
          autofocus
          dir="ltr"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => {
            const { length } = addressesIn(currentTarget.value);
            setFound(length);
            currentTarget.setCustomValidity(problemOf(length));
          }}
        />
      </Field>
      <p role="status">{found > 0 && count(found, texts.people.addressesFound)}</p>
    </>
  );
}

/** What the browser says of a number of addresses; empty for nothing. */
function problemOf(found: number): string {
  if (found === 0) return texts.people.addressesNone;
  return found > MOST_ADDRESSES ? say(texts.people.addressesMost, { count: found }) : '';
}

/** Names the addresses that an error counts: "body.emails.3". */
function naming(emails: readonly string[], error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, requestId } = error;
  const fields = error.fields.map(({ field, message }) => {
    const email = emails[Number(/^body\.emails\.(\d+)$/.exec(field)?.[1] ?? 'none')];
    return email === undefined
      ? { field, message }
      : { field: 'body.emails', message: say(texts.people.addressWrong, { email, why: message }) };
  });
  const sentence = fields.length === 0 ? error.message : fields.map(({ message }) => message).join(' ');
  return new ApiError(status, code, sentence, requestId, fields);
}
