import { Injectable } from '@nestjs/common';
import { type AgentEventOf, OnDomainEvent } from 'org-conversation-service';
import { NotesService } from './notes.service';

/** Notes that an agent had to give up, from the events that it reports. */
@Injectable()
export class AgentErrorsListener {
  constructor(private readonly notes: NotesService) {}

  /** Called for this kind of agents' events only; for the many others nothing is written. */
  @OnDomainEvent('event.received', {
    after: 'commit',
    name: 'acme:agent-errors',
    eventKinds: ['ConversationErrorEvent'],
  })
  note(event: AgentEventOf<'ConversationErrorEvent'>): Promise<void> {
    const text = `The agent of conversation ${event.conversation_id} had to give up.`;
    return this.notes.add(event.event_id, event.org_id, text);
  }
}
