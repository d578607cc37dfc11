import type { JSX } from 'preact';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { Confirm } from '../../parts/modal';
import type { Values } from '../../parts/form';
import { count, localTime, texts } from '../../text';

/** Asks since when failed deliveries are sent again, and has all of them sent. @param onDone called after that */
export function ReplayFailed(props: {
  webhookId: string;
  onDone: () => void;
  onClose: () => void;
}): JSX.Element {
  const { id } = useOrganization();
  const replay = async (value: Values): Promise<void> => {
    const params = { path: { org_id: id, webhook_id: props.webhookId } };
    const body = { since: new Date(value('since')).toISOString() };
    let replayed = 0;
    // One call takes some of them; the same call goes on.
    for (let hasMore = true; hasMore;) {
      const some = await bodyOf(
        api.POST('/api/organizations/{org_id}/webhooks/{webhook_id}/replay', { params, body }),
      );
      replayed += some.replayed;
      hasMore = some.has_more;
    }
    announce(count(replayed, texts.webhooks.replayed));
    props.onDone();
  };
  return (
    <Confirm
      title={texts.webhooks.replayFailed}
      label={texts.webhooks.sendAgain}
      action={replay}
      onClose={props.onClose}
    >
      {(error) => (
        <>
          <p>{texts.webhooks.replayText}</p>
          <Field label={texts.webhooks.since} error={error} field="body.since">
            <input
              name="since"
              type="datetime-local"
              required
              defaultValue={localTime(Date.now() - DAY_MS)}
            />
          </Field>
        </>
      )}
    </Confirm>
  );
}

const DAY_MS = 86_400_000;
