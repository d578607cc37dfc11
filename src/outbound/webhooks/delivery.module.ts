import { Module } from '@nestjs/common';
import { AllowedHosts, CheckedHosts, HostLookup, SystemHostLookup } from '../../kernel/common';
import { SETTINGS, type Settings } from '../../kernel/config';
import { FaultPoints } from '../../kernel/leases';
import { CheckedAgents, WebhookAddresses } from './addresses/webhook-addresses';
import { CallbackSender } from './delivery/callback/callback-sender';
import { EventTexts } from './delivery/callback/event-texts';
import { LaneDispatcher } from './delivery/lanes/lane-dispatcher';
import { LaneRun, RequestSlots } from './delivery/lanes/lane-run';
import { LaneLeases } from './delivery/leases/lane-leases';
import { DeliveryCounts, Settlements } from './delivery/settlement/settlements';
import { WebhookFanOut } from './fan-out/webhook-fan-out';
import { DeliveryStore } from './queue/delivery-store';
import { LaneSignal } from './queue/lane-signal';
import { WebhookDisabling } from './queue/webhook-disabling';
import { WebhookSecrets } from './secrets/webhook-secrets';

/** From what happened to what is to be delivered, and its delivery; it needs nothing of HTTP. */
@Module({
  providers: [
    { provide: HostLookup, useClass: SystemHostLookup },
    {
      provide: CheckedHosts,
      inject: [SETTINGS, HostLookup],
      useFactory: (settings: Settings, lookup: HostLookup) =>
        new CheckedHosts(new AllowedHosts('WEBHOOK_ALLOWED_HOSTS', settings.WEBHOOK_ALLOWED_HOSTS), lookup),
    },
    CallbackSender,
    CheckedAgents,
    DeliveryCounts,
    DeliveryStore,
    EventTexts,
    FaultPoints,
    LaneDispatcher,
    LaneLeases,
    LaneRun,
    LaneSignal,
    RequestSlots,
    Settlements,
    WebhookAddresses,
    WebhookDisabling,
    WebhookFanOut,
    WebhookSecrets,
  ],
  exports: [DeliveryStore, LaneSignal, WebhookAddresses, WebhookDisabling, WebhookSecrets],
})
export class DeliveryModule {}
