import {
  anything,
  boolean,
  dateTime,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import { WebhookPath } from '../endpoints/webhooks.dto';
import { DELIVERY_STATES, type DeliveryState } from '../record/webhook.enums';

const ID = '5c3b9a60-2f3d-4f8f-8a44-6d0d5e0c9a11';
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';
const TIME = '2026-11-21T09:30:00.000Z';

/** Path of operations on one delivery. */
export class WebhookDeliveryPath extends WebhookPath {
  @Field(string(), {
    description: 'Id of the delivery; what is no id of one is a 404.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/webhooks/{webhook_id}/deliveries',
      list: 'items',
      value: 'id',
      none: 'Nothing was sent to the webhook: send a test.',
    },
  })
  delivery_id!: string;
}

/** Query of the list of deliveries. */
export class WebhookDeliveriesQuery {
  @Field(oneOf(DELIVERY_STATES), {
    nullable: true,
    description: 'Only those in this state.',
    example: 'failed',
  })
  state: DeliveryState | null = null;

  @Field(string(), {
    nullable: true,
    description: 'Where the page starts: `next_page_id` of the page before.',
  })
  page_id: string | null = null;

  @Field(integer({ ge: 1 }), { description: 'Most items on the page; above 100 counts as 100.', example: 50 })
  limit = 100;
}

/** Body of `POST …/replay`. */
export class WebhookReplay {
  @Field(dateTime(), { description: 'Failed deliveries that were made then or later.', example: TIME })
  since!: Date;
}

/** Response of `POST …/replay`. */
export class WebhookReplayed {
  @Field(integer(), { description: 'How many are sent again: at most 1,000.', example: 42 })
  replayed!: number;

  @Field(boolean(), {
    description: 'Whether there are more: the same call goes on with them.',
    example: false,
  })
  has_more!: boolean;
}

/** One callback: what is sent, and its state. */
export class WebhookDeliveryResponse {
  @Field(uuid(), { description: 'Its id, and the header `webhook-id` of every attempt.', example: ID })
  id!: string;

  @Field(string(), { description: 'The kind of domain event, or `webhook.test`.', example: 'event.received' })
  type!: string;

  @Field(string(), {
    nullable: true,
    description: "The agent's kind of event; null for everything but `event.received`.",
    example: 'MessageEvent',
  })
  event_kind!: string | null;

  @Field(uuid(), { nullable: true, description: 'The conversation it is about.', example: CONVERSATION })
  conversation_id!: string | null;

  @Field(oneOf(DELIVERY_STATES), {
    description: '`pending` until it succeeded, or was given up.',
    example: 'delivered',
  })
  state!: DeliveryState;

  @Field(integer(), { description: 'How often it was sent.', example: 1 })
  attempt_count!: number;

  @Field(string(), {
    nullable: true,
    description: 'What went wrong last.',
    example: 'The host does not answer in time.',
  })
  last_error!: string | null;

  @Field(dateTime(), { description: 'When it happened: `timestamp` of the payload.', example: TIME })
  occurred_at!: string;

  @Field(dateTime(), { description: 'When the delivery was made.', example: TIME })
  created_at!: string;

  @Field(dateTime(), {
    nullable: true,
    description: 'When it succeeded or was given up; null while it is pending.',
    example: TIME,
  })
  completed_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'When a pending one is given up.',
    example: '2026-11-24T09:30:00.000Z',
  })
  expires_at!: string | null;
}

/** One request of a delivery, and its outcome. */
export class WebhookAttemptResponse {
  @Field(integer(), { description: 'From 1 on.', example: 1 })
  number!: number;

  @Field(dateTime(), { description: 'When it was sent.', example: TIME })
  at!: string;

  @Field(integer(), { description: 'Until the answer, or what went wrong, in milliseconds.', example: 83 })
  duration_ms!: number;

  @Field(integer(), { nullable: true, description: 'Status of the answer; null without one.', example: 500 })
  status!: number | null;

  @Field(string(), {
    nullable: true,
    description: 'What went wrong; null for a success.',
    example: 'The answer has status 500.',
  })
  error!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The first 1,024 bytes of the answer.',
    example: 'Internal error',
  })
  answer!: string | null;
}

/** A delivery with what was sent and its attempts. */
export class WebhookDeliveryDetails extends WebhookDeliveryResponse {
  @Field(anything(), {
    description:
      '`data` of the payload; for `event.received` without the event, which is added when it is sent.',
    example: { conversation_id: CONVERSATION },
  })
  data!: unknown;

  @Field(list(model(() => WebhookAttemptResponse)), { description: 'The attempts, the first one first.' })
  attempts!: WebhookAttemptResponse[];
}

/** Response of `GET …/deliveries`. */
export class WebhookDeliveryPage {
  @Field(list(model(() => WebhookDeliveryResponse)), { description: 'The deliveries of the page.' })
  items!: WebhookDeliveryResponse[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}
