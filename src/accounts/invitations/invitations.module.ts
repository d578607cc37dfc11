import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import { MailModule } from '../mail';
import { OrgsModule } from '../orgs';
import { PersonalDataModule } from '../personal-data';
import { AcceptController } from './acceptance/accept.controller';
import { AcceptService } from './acceptance/accept.service';
import { AcceptanceCodes } from './acceptance/acceptance-codes';
import { AcceptancePageController } from './acceptance/page/page.controller';
import { InvitationViews } from './acceptance/invitation-views';
import { PageAcceptance } from './acceptance/page/page-acceptance';
import { AcceptancePageService } from './acceptance/page/page.service';
import { InvitationMailer } from './email/invitation-mailer';
import { GrantableRoles } from './record/grantable-roles';
import { Invitation, InvitationCall, InvitationCode } from './record/invitation.entity';
import { PersonalInvitations } from './record/personal-invitations';
import { InvitationTokens } from './record/invitation-tokens';
import { InvitationsCleanUp } from './pending/invitations-clean-up';
import { InviteController } from './invite/invite.controller';
import { Invitations } from './invite/invitations';
import { InviteRateLimiter } from './invite/invite-rate-limiter';
import { InviteService } from './invite/invite.service';
import { PendingInvitationsController } from './pending/pending-invitations.controller';
import { PendingInvitationsService } from './pending/pending-invitations.service';

/** Invitations to organizations: created, emailed, accepted. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Invitation, InvitationCall, InvitationCode]),
    ApiKeysModule,
    MailModule,
    OrgsModule,
    PersonalDataModule,
  ],
  controllers: [AcceptController, AcceptancePageController, InviteController, PendingInvitationsController],
  providers: [
    AcceptService,
    AcceptanceCodes,
    AcceptancePageService,
    GrantableRoles,
    InvitationViews,
    InvitationsCleanUp,
    InvitationMailer,
    InvitationTokens,
    InviteRateLimiter,
    InviteService,
    PageAcceptance,
    PendingInvitationsService,
    PersonalInvitations,
    Invitations,
  ],
  exports: [Invitations],
})
export class InvitationsModule {}
