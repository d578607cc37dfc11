import { Module } from '@nestjs/common';
import { OrgsModule } from '../../../src/accounts/orgs';
import { AgentErrorsListener } from './agent-errors.listener';
import { AnnouncementsController } from './announcements.controller';
import { AnnouncementsService } from './announcements.service';
import { WelcomeListener } from './welcome.listener';

/** A module of an extension: announcements to all members of an organization, new members and agents' errors among them. */
@Module({
  imports: [OrgsModule],
  controllers: [AnnouncementsController],
  providers: [AnnouncementsService, AgentErrorsListener, WelcomeListener],
})
export class AnnouncementsModule {}
