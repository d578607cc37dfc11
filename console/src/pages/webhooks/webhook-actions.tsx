import type { JSX } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useChange } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Failure } from '../../parts/states';
import { texts } from '../../text';
import { WebhookForm } from './webhook-form';
import { SecretDialog } from './webhook-list';

/** What is asked about before it is done. */
type Question = 'change' | 'disable' | 'rotate' | 'remove';

/** The buttons of one webhook. @param onChange called after each change of it */
export function WebhookActions(props: {
  webhook: Schemas['WebhookResponse'];
  onChange: () => void;
}): JSX.Element {
  const { webhook, onChange } = props;
  const { id, path } = useOrganization();
  const { route } = useLocation();
  const [question, setQuestion] = useState<Question | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const atOnce = useChange();
  const params = { path: { org_id: id, webhook_id: webhook.id } };
  const close = (): void => setQuestion(null);
  const done = (what: string): void => {
    announce(what);
    onChange();
  };
  const test = async (): Promise<void> => {
    const delivery = await bodyOf(
      api.POST('/api/organizations/{org_id}/webhooks/{webhook_id}/test', { params }),
    );
    announce(texts.webhooks.tested);
    route(path(`webhooks/${webhook.id}/${delivery.id}`));
  };
  const enable = async (): Promise<void> => {
    await bodyOf(api.POST('/api/organizations/{org_id}/webhooks/{webhook_id}/enable', { params }));
    done(texts.webhooks.isEnabled);
  };
  const disable = async (): Promise<void> => {
    await bodyOf(api.POST('/api/organizations/{org_id}/webhooks/{webhook_id}/disable', { params }));
    done(texts.webhooks.isDisabled);
  };
  const change = async (body: Schemas['WebhookUpdate']): Promise<void> => {
    await bodyOf(api.PATCH('/api/organizations/{org_id}/webhooks/{webhook_id}', { params, body }));
    done(texts.states.saved);
  };
  const rotate = async (): Promise<void> => {
    const rotated = await bodyOf(
      api.POST('/api/organizations/{org_id}/webhooks/{webhook_id}/rotate-secret', { params }),
    );
    setSecret(rotated.secret);
    done(texts.webhooks.rotated);
  };
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/api/organizations/{org_id}/webhooks/{webhook_id}', { params }));
    announce(texts.webhooks.removed);
    route(path('webhooks'), true);
  };
  return (
    <>
      {atOnce.error !== undefined && <Failure error={atOnce.error} />}
      <div class="buttons start">
        {webhook.enabled ? (
          <>
            <button type="button" aria-busy={atOnce.isBusy} onClick={() => void atOnce.run(test)}>
              {texts.webhooks.test}
            </button>
            <Asking name={texts.webhooks.disable} onClick={() => setQuestion('disable')} />
          </>
        ) : (
          <button type="button" aria-busy={atOnce.isBusy} onClick={() => void atOnce.run(enable)}>
            {texts.webhooks.enable}
          </button>
        )}
        <Asking name={texts.webhooks.change} onClick={() => setQuestion('change')} />
        <Asking name={texts.webhooks.rotate} onClick={() => setQuestion('rotate')} />
        <Asking name={texts.webhooks.remove} onClick={() => setQuestion('remove')} />
      </div>
      {question === 'change' && (
        <WebhookForm
          title={texts.webhooks.change}
          label={texts.webhooks.save}
          webhook={webhook}
          save={change}
          onClose={close}
        />
      )}
      {question === 'disable' && (
        <Confirm
          title={texts.webhooks.disable}
          label={texts.webhooks.disable}
          action={disable}
          onClose={close}
        >
          <p>{texts.webhooks.disableText}</p>
        </Confirm>
      )}
      {question === 'rotate' && (
        <Confirm title={texts.webhooks.rotate} label={texts.webhooks.rotate} action={rotate} onClose={close}>
          <p>{texts.webhooks.rotateText}</p>
        </Confirm>
      )}
      {question === 'remove' && (
        <Confirm title={texts.webhooks.remove} label={texts.webhooks.remove} action={remove} onClose={close}>
          <p>{texts.webhooks.removeText}</p>
        </Confirm>
      )}
      {secret !== null && question === null && (
        <SecretDialog secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  );
}

function Asking({ name, onClick }: { name: string; onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="secondary outline" onClick={onClick}>
      {name}
    </button>
  );
}
