import type { JSX } from 'preact';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { Facts, When } from '../../parts/show';
import { Shown } from '../../parts/states';
import { texts } from '../../text';
import { Deliveries } from './deliveries';
import { kindTexts } from './kinds';
import { WebhookActions } from './webhook-actions';
import { tagLines } from './webhook-form';
import { WebhookState } from './webhook-state';

/** One webhook, what can be done with it, and its deliveries. */
export function WebhookView({ webhookId }: { webhookId: string }): JSX.Element {
  const { id, path } = useOrganization();
  const webhook = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/webhooks/{webhook_id}', {
          params: { path: { org_id: id, webhook_id: webhookId } },
          signal,
        }),
      ),
    [id, webhookId],
  );
  return (
    <Page title={texts.webhooks.one}>
      <p>
        <a href={path('webhooks')}>{texts.webhooks.all}</a>
      </p>
      <Shown of={webhook}>
        {(found) => (
          <>
            <WebhookFacts webhook={found} />
            <WebhookActions webhook={found} onChange={webhook.reload} />
            <Deliveries webhook={found} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function WebhookFacts({ webhook }: { webhook: Schemas['WebhookResponse'] }): JSX.Element {
  const { url, description, kinds, tags, conversation_ids: ids, previous_secret_until: until } = webhook;
  return (
    <Facts
      of={{
        [texts.webhooks.url]: url,
        [texts.webhooks.description]: description || null,
        [texts.webhooks.kinds]: kindTexts(kinds).join(', '),
        [texts.webhooks.conversationIds]: ids?.join(', '),
        [texts.webhooks.tags]: tags && tagLines(tags).join(', '),
        [texts.webhooks.state]: <WebhookState webhook={webhook} />,
        [texts.webhooks.disabledAt]: webhook.disabled_at && <When at={webhook.disabled_at} />,
        [texts.webhooks.previousSecret]: until && <When at={until} />,
        [texts.webhooks.madeAt]: <When at={webhook.created_at} />,
        [texts.webhooks.changedAt]: <When at={webhook.updated_at} />,
      }}
    />
  );
}
