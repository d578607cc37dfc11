import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys';
import { MailModule } from '../mail';
import { OrgsModule } from '../orgs';
import { AcceptController } from './acceptance/accept.controller';
import { AcceptService } from './acceptance/accept.service';
import { AcceptanceCodes } from './acceptance/acceptance-codes';
import { AcceptancePageController } from './acceptance/page.controller';
import { AcceptancePageService } from './acceptance/page.service';
import { InvitationMail } from './invitation-mail';
import { InvitationTokens } from './invitation-tokens';
import { InvitationsCleanUp } from './invitations-clean-up';
import { InviteController } from './invite.controller';
import { InviteLedger } from './invite-ledger';
import { InviteService } from './invite.service';
import { PendingInvitationsController } from './pending-invitations.controller';
import { PendingInvitationsService } from './pending-invitations.service';

/** Invitations to organizations: made, mailed, accepted. */
@Module({
  imports: [ApiKeysModule, MailModule, OrgsModule],
  controllers: [AcceptController, AcceptancePageController, InviteController, PendingInvitationsController],
  providers: [
    AcceptService,
    AcceptanceCodes,
    AcceptancePageService,
    InvitationsCleanUp,
    InvitationMail,
    InvitationTokens,
    InviteLedger,
    InviteService,
    PendingInvitationsService,
  ],
})
export class InvitationsModule {}
