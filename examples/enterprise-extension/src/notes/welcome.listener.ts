import { Injectable } from '@nestjs/common';
import { type DomainEventOf, OnDomainEvent } from 'org-conversation-service';
import { NotesService } from './notes.service';

/** Notes that somebody has joined. */
@Injectable()
export class WelcomeListener {
  constructor(private readonly notes: NotesService) {}

  /** A job after the commit, which may run more than once: both ids keep it to one note of each organization. */
  @OnDomainEvent('member.added', { after: 'commit', name: 'acme:welcome' })
  welcome({ org_id, user_id }: DomainEventOf<'member.added'>): Promise<void> {
    return this.notes.add(`${org_id} ${user_id}`, org_id, 'Somebody has joined.');
  }
}
