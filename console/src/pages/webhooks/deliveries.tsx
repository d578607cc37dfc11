import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages } from '../../parts/table';
import { texts } from '../../text';
import { ReplayFailed } from './replay';

type Delivery = Schemas['WebhookDeliveryResponse'];

const STATES = ['pending', 'delivered', 'failed'] as const;

/** What was sent to a webhook, is waiting or has failed, the newest first. */
export function Deliveries({ webhook }: { webhook: Schemas['WebhookResponse'] }): JSX.Element {
  const { id, path } = useOrganization();
  const { query, change } = useAddress();
  const [isReplaying, setReplaying] = useState(false);
  const { page_id } = query;
  const state = STATES.find((known) => known === query['state']);
  const page = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/webhooks/{webhook_id}/deliveries', {
          params: {
            path: { org_id: id, webhook_id: webhook.id },
            query: {
              limit: 50,
              ...(page_id !== undefined && { page_id }),
              ...(state !== undefined && { state }),
            },
          },
          signal,
        }),
      ),
    [id, webhook.id, page_id, state],
  );
  return (
    <Section
      title={texts.webhooks.deliveries}
      actions={
        <div class="buttons">
          <button type="button" class="secondary outline" onClick={page.reload}>
            {texts.webhooks.lookAgain}
          </button>
          {webhook.enabled && (
            <button type="button" class="secondary outline" onClick={() => setReplaying(true)}>
              {texts.webhooks.replayFailed}
            </button>
          )}
        </div>
      }
    >
      <div class="filters">
        <label>
          {texts.webhooks.state}
          <select
            value={state ?? ''}
            onChange={({ currentTarget }) => change({ state: currentTarget.value || null, page_id: null })}
          >
            <option value="">{texts.webhooks.allStates}</option>
            {STATES.map((known) => (
              <option key={known} value={known}>
                {texts.webhooks.states[known]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Shown of={page}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty>{state === undefined ? texts.webhooks.noDeliveries : texts.webhooks.noneOfState}</Empty>
            ) : (
              <DataTable
                caption={texts.webhooks.deliveries}
                rows={items}
                idOf={(delivery) => delivery.id}
                columns={columnsOf((delivery) => path(`webhooks/${webhook.id}/${delivery.id}`))}
              />
            )}
            <NextPages
              name={texts.webhooks.deliveries}
              pageId={page_id ?? null}
              nextPageId={next_page_id}
              onPage={(pageId) => change({ page_id: pageId })}
            />
          </>
        )}
      </Shown>
      {isReplaying && (
        <ReplayFailed webhookId={webhook.id} onDone={page.reload} onClose={() => setReplaying(false)} />
      )}
    </Section>
  );
}

function columnsOf(addressOf: (delivery: Delivery) => string): readonly Column<Delivery>[] {
  return [
    {
      key: 'type',
      name: texts.webhooks.type,
      show: (delivery) => (
        <>
          <a href={addressOf(delivery)}>{delivery.type}</a> {delivery.event_kind}
        </>
      ),
      isHeader: true,
    },
    { key: 'state', name: texts.webhooks.state, show: ({ state }) => texts.webhooks.states[state] },
    {
      key: 'attempts',
      name: texts.webhooks.attempts,
      show: ({ attempt_count }) => attempt_count,
      isFigure: true,
    },
    { key: 'error', name: texts.webhooks.lastError, show: ({ last_error }) => last_error ?? '–' },
    {
      key: 'occurred_at',
      name: texts.webhooks.occurredAt,
      show: ({ occurred_at }) => <When at={occurred_at} />,
    },
    {
      key: 'completed_at',
      name: texts.webhooks.completedAt,
      show: ({ completed_at }) => <When at={completed_at} />,
    },
  ];
}
