import { Injectable } from '@nestjs/common';
import { type AgentEventOf, OnDomainEvent } from '../../../src/kernel/domain-events';
import { AnnouncementsService } from './announcements.service';

/** Announces that an agent had to give up, from the events that it reports. */
@Injectable()
export class AgentErrorsListener {
  constructor(private readonly announcements: AnnouncementsService) {}

  /** Called for these kinds of agents' events only; for the many others nothing is written. */
  @OnDomainEvent('event.received', {
    after: 'commit',
    name: 'announcements:agent-errors',
    eventKinds: ['AgentErrorEvent', 'ConversationErrorEvent'],
  })
  announce(event: AgentEventOf<'AgentErrorEvent' | 'ConversationErrorEvent'>): Promise<void> {
    const text = `The agent of conversation ${event.conversation_id} reports an error (${event.event_kind}).`;
    this.announcements.add(event.org_id, { text, links: [] }, event.event_id);
    return Promise.resolve();
  }
}
