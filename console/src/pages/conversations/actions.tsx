import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useChange } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Failure } from '../../parts/states';
import { texts } from '../../text';
import type { Conversation } from './use-conversation';

const words = texts.conversations;

/** What its creator may do with a conversation. */
export function OwnActions(props: {
  conversation: Conversation;
  onChange: () => void;
  onDeleted: () => void;
}): JSX.Element {
  const { conversation, onChange, onDeleted } = props;
  const { header } = useOrganization();
  const { id } = conversation;
  const change = useChange();
  const [isDeleting, setDeleting] = useState(false);
  const interrupt = async (): Promise<void> => {
    const isDone = await change.run(() =>
      bodyOf(
        api.POST('/api/v1/app-conversations/{conversation_id}/interrupt', {
          params: { path: { conversation_id: id }, header },
        }),
      ),
    );
    if (!isDone) return;
    announce(words.interrupted);
    onChange();
  };
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/api/v1/app-conversations/{id}', { params: { path: { id }, header } }));
    onDeleted();
  };
  return (
    <>
      <div class="buttons start">
        {conversation.sandbox_status === 'RUNNING' && (
          <button type="button" class="secondary" aria-busy={change.isBusy} onClick={() => void interrupt()}>
            {words.interrupt}
          </button>
        )}
        <button type="button" class="secondary outline" onClick={() => setDeleting(true)}>
          {words.delete}
        </button>
      </div>
      {change.error !== undefined && <Failure error={change.error} />}
      {isDeleting && (
        <Confirm
          title={words.deleteTitle}
          label={words.delete}
          action={remove}
          onClose={() => setDeleting(false)}
        >
          <p>{words.deleteText}</p>
        </Confirm>
      )}
    </>
  );
}
