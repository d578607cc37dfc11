import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { type Loaded, useChange, useLoad } from '../../parts/load';
import { Page, Section } from '../../parts/page';
import { Facts, Verbatim, When } from '../../parts/show';
import { Empty, Failure, Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { number, say, texts } from '../../text';

type Delivery = Schemas['WebhookDeliveryDetails'];

/** One delivery: what it says, and what came of each attempt. */
export function DeliveryView(props: { webhookId: string; deliveryId: string }): JSX.Element {
  const { id, path } = useOrganization();
  const params = { path: { org_id: id, webhook_id: props.webhookId, delivery_id: props.deliveryId } };
  const delivery = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/webhooks/{webhook_id}/deliveries/{delivery_id}', {
          params,
          signal,
        }),
      ),
    [id, props.deliveryId],
  );
  useLookAgain(delivery);
  const change = useChange();
  const replay = async (): Promise<void> => {
    await bodyOf(
      api.POST('/api/organizations/{org_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
        params,
      }),
    );
    announce(texts.webhooks.replayedOne);
    delivery.reload();
  };
  return (
    <Page title={texts.webhooks.delivery}>
      <p>
        <a href={path(`webhooks/${props.webhookId}`)}>{texts.webhooks.toWebhook}</a>
      </p>
      <Shown of={delivery}>
        {(found) => (
          <>
            <DeliveryFacts delivery={found} />
            {change.error !== undefined && <Failure error={change.error} />}
            {found.state !== 'pending' && (
              <div class="buttons start">
                <button type="button" aria-busy={change.isBusy} onClick={() => void change.run(replay)}>
                  {texts.webhooks.sendAgain}
                </button>
              </div>
            )}
            <Attempts of={found.attempts} />
            <Section title={texts.webhooks.body}>
              {found.type === 'event.received' && <p>{texts.webhooks.bodyWithoutEvent}</p>}
              <Verbatim of={{ type: found.type, timestamp: found.occurred_at, data: found.data }} />
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }): JSX.Element {
  const { path } = useOrganization();
  const { conversation_id: conversationId, expires_at: expiresAt } = delivery;
  return (
    <Facts
      of={{
        [texts.webhooks.type]: delivery.type,
        [texts.webhooks.eventKind]: delivery.event_kind,
        [texts.webhooks.id]: delivery.id,
        [texts.webhooks.conversation]: conversationId && (
          <a href={path(`conversations/${conversationId}`)}>{conversationId}</a>
        ),
        [texts.webhooks.state]: texts.webhooks.states[delivery.state],
        [texts.webhooks.lastError]: delivery.last_error,
        [texts.webhooks.occurredAt]: <When at={delivery.occurred_at} />,
        [texts.webhooks.completedAt]: delivery.completed_at && <When at={delivery.completed_at} />,
        [texts.webhooks.expiresAt]: expiresAt && <When at={expiresAt} />,
      }}
    />
  );
}

function Attempts({ of }: { of: Delivery['attempts'] }): JSX.Element {
  return (
    <Section title={texts.webhooks.attempts}>
      {of.length === 0 ? (
        <Empty>{texts.webhooks.noAttempts}</Empty>
      ) : (
        <DataTable
          caption={texts.webhooks.attempts}
          rows={of}
          idOf={(attempt) => String(attempt.number)}
          columns={[
            { key: 'number', name: texts.webhooks.number, show: (of) => number(of.number), isHeader: true },
            { key: 'at', name: texts.webhooks.sentAt, show: ({ at }) => <When at={at} /> },
            {
              key: 'duration',
              name: texts.webhooks.duration,
              show: ({ duration_ms: ms }) => say(texts.webhooks.milliseconds, { ms }),
              isFigure: true,
            },
            {
              key: 'status',
              name: texts.webhooks.status,
              show: ({ status }) => status ?? '–',
              isFigure: true,
            },
            { key: 'error', name: texts.webhooks.error, show: ({ error }) => error ?? '–' },
            {
              key: 'answer',
              name: texts.webhooks.answer,
              show: ({ answer }) => (answer === null || answer === '' ? '–' : <Verbatim of={answer} />),
            },
          ]}
        />
      )}
    </Section>
  );
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Looks again for what becomes of a delivery that is on its way: soon at first, and then less and less often. */
function useLookAgain({ data, isLoading, reload }: Loaded<Delivery>): void {
  const [pause, setPause] = useState(FIRST_PAUSE_MS);
  const isPending = !isLoading && data?.state === 'pending';
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => {
      setPause(Math.min(pause * 2, LONGEST_PAUSE_MS));
      reload();
    }, pause);
    return () => clearTimeout(timer);
  }, [isPending]);
}
