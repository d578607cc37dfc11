import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys';
import { MailModule } from '../mail';
import { OrgsModule } from '../orgs';
import { InvitationMail } from './invitation-mail';
import { InvitationTokens } from './invitation-tokens';
import { InviteController } from './invite.controller';
import { InviteLedger } from './invite-ledger';
import { InviteService } from './invite.service';
import { PendingInvitationsController } from './pending-invitations.controller';
import { PendingInvitationsService } from './pending-invitations.service';

/** Invitations to organizations: made, mailed, accepted. */
@Module({
  imports: [ApiKeysModule, MailModule, OrgsModule],
  controllers: [InviteController, PendingInvitationsController],
  providers: [InvitationMail, InvitationTokens, InviteLedger, InviteService, PendingInvitationsService],
})
export class InvitationsModule {}
