import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../api/client';
import { useOrganization } from '../app/organization';
import { texts } from '../text';
import { announce } from './announce';
import { Field } from './field';
import type { Values } from './form';
import { MemberInput, memberOf } from './member-input';
import { Confirm } from './modal';

const words = texts.holds;

type Held = { readonly user_id: string } | { readonly conversation_id: string };

/** Asks for the reason of a hold, and for what is held. @param props.conversationId where that is known */
export function HoldForm(props: {
  conversationId?: string;
  onHeld: () => void;
  onClose: () => void;
}): JSX.Element {
  const { conversationId, onHeld, onClose } = props;
  const organization = useOrganization();
  const heldOf = async (value: Values): Promise<Held> => {
    if (conversationId !== undefined) return { conversation_id: conversationId };
    if (value('what') === 'conversation') return { conversation_id: value('conversation') };
    return { user_id: await memberOf(organization, value('person'), 'body.user_id') };
  };
  const hold = async (value: Values): Promise<void> => {
    const body = { ...(await heldOf(value)), reason: value('reason') };
    const params = { path: { org_id: organization.id } };
    await bodyOf(api.POST('/api/organizations/{org_id}/legal-holds', { params, body }));
    announce(words.made);
    onHeld();
  };
  return (
    <Confirm
      title={conversationId === undefined ? words.make : words.holdTitle}
      label={words.hold}
      action={hold}
      onClose={onClose}
    >
      {(error: Error | undefined): ComponentChildren => (
        <>
          {conversationId === undefined ? <What error={error} /> : <p>{words.holdText}</p>}
          <Field label={words.reason} hint={words.reasonHint} error={error} field="body.reason">
            <textarea name="reason" required rows={3} maxLength={1000} dir="auto" />
          </Field>
        </>
      )}
    </Confirm>
  );
}

/** A person or a conversation. */
function What({ error }: { error: Error | undefined }): JSX.Element {
  const [what, setWhat] = useState<'person' | 'conversation'>('person');
  return (
    <>
      <fieldset>
        <legend>{words.what}</legend>
        {(['person', 'conversation'] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="what"
              value={one}
              checked={what === one}
              onChange={() => setWhat(one)}
            />
            {words[one]}
          </label>
        ))}
      </fieldset>
      {what === 'person' ? (
        <Field
          key="person"
          label={words.personField}
          hint={words.personHint}
          error={error}
          field="body.user_id"
        >
          <MemberInput name="person" required defaultValue="" />
        </Field>
      ) : (
        <Field key="conversation" label={words.conversationId} error={error} field="body.conversation_id">
          <input name="conversation" required maxLength={36} autocomplete="off" />
        </Field>
      )}
    </>
  );
}
