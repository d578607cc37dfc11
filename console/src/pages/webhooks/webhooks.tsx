import type { JSX } from 'preact';
import type { PageProps } from '../../app/pages';
import { DeliveryView } from './delivery-view';
import { WebhookList } from './webhook-list';
import { WebhookView } from './webhook-view';

/** Webhooks of the organization: all, one with its deliveries, or one delivery, as the address says. */
export default function Webhooks({ rest }: PageProps): JSX.Element {
  const [webhookId = '', deliveryId] = rest.split('/');
  if (webhookId === '') return <WebhookList />;
  if (deliveryId === undefined) return <WebhookView key={webhookId} webhookId={webhookId} />;
  return <DeliveryView key={deliveryId} {...{ webhookId, deliveryId }} />;
}
