import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { Confirm } from '../../parts/modal';
import { count, texts } from '../../text';

const words = texts.conversations.stop;

/** Stops a member's conversation, with a reason that its creator reads. */
export function Stop({ id, onChange }: { id: string; onChange: () => void }): JSX.Element {
  const { id: org_id } = useOrganization();
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const stop = async (): Promise<void> => {
    const { stopped, failed_messages } = await bodyOf(
      api.POST('/api/organizations/{org_id}/conversations/{conversation_id}/stop', {
        params: { path: { org_id, conversation_id: id } },
        body: { reason },
      }),
    );
    announce(stopped ? count(failed_messages, words.stopped) : words.nothing);
    setReason('');
    onChange();
  };
  return (
    <div class="buttons start">
      <button type="button" class="secondary" onClick={() => setAsking(true)}>
        {words.button}
      </button>
      {isAsking && (
        <Confirm title={words.title} label={words.button} action={stop} onClose={() => setAsking(false)}>
          <p>{words.text}</p>
          <Field label={words.reason} hint={words.hint}>
            <textarea
              required
              rows={3}
              maxLength={500}
              dir="auto"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </Field>
        </Confirm>
      )}
    </div>
  );
}
