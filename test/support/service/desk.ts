import { Controller, Injectable, Module, Post } from '@nestjs/common';
import {
  Access,
  Actors,
  Conversations,
  ConversationsModule,
  CurrentCaller,
  CurrentOrg,
  type Caller,
  defineExtension,
  Events,
  EventsModule,
  Invitations,
  InvitationsModule,
  Marketplaces,
  Members,
  Organizations,
  OrgsModule,
  SkillsModule,
  type OrgContext,
  PendingMessages,
  PendingMessagesModule,
  Sandboxes,
  SandboxesModule,
} from '../../../src';

/** What an extension gets hold of from inside (docs/extending.md#from-inside). */
@Injectable()
export class Desk {
  constructor(
    readonly actors: Actors,
    readonly conversations: Conversations,
    readonly messages: PendingMessages,
    readonly events: Events,
    readonly sandboxes: Sandboxes,
  ) {}
}

/** As {@link Desk}, for the organization itself. */
@Injectable()
export class Office {
  constructor(
    readonly organizations: Organizations,
    readonly members: Members,
    readonly invitations: Invitations,
    readonly marketplaces: Marketplaces,
  ) {}
}

@Controller('api/organizations/:org_id/desk')
class DeskController {
  constructor(private readonly desk: Desk) {}

  /** Starts a conversation for the caller. */
  @Post()
  @Access({ org: 'path' })
  async openDesk(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<{ readonly id: string | null }> {
    const { desk } = this;
    const task = await desk.conversations.start(desk.actors.caller(caller, org), { title: 'From the desk' });
    return { id: task.id };
  }
}

@Module({
  imports: [
    ConversationsModule,
    EventsModule,
    InvitationsModule,
    OrgsModule,
    PendingMessagesModule,
    SandboxesModule,
    SkillsModule,
  ],
  controllers: [DeskController],
  providers: [Desk, Office],
})
class DeskModule {}

/** An extension that uses the service from inside. */
export const deskExtension = defineExtension({ name: 'desk', modules: [DeskModule] });
