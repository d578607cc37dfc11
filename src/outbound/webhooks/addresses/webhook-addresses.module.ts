import { Module } from '@nestjs/common';
import { AllowedHosts, CheckedHosts, HostLookup, SystemHostLookup } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { CheckedAgents, WebhookAddresses } from './webhook-addresses';

/** Which addresses callbacks may go to, and connections that go nowhere else. */
@Module({
  providers: [
    { provide: HostLookup, useClass: SystemHostLookup },
    {
      provide: CheckedHosts,
      inject: [SETTINGS, HostLookup],
      useFactory: (settings: Settings, lookup: HostLookup) =>
        new CheckedHosts(new AllowedHosts('WEBHOOK_ALLOWED_HOSTS', settings.WEBHOOK_ALLOWED_HOSTS), lookup),
    },
    WebhookAddresses,
    CheckedAgents,
  ],
  exports: [WebhookAddresses, CheckedAgents],
})
export class WebhookAddressesModule {}
