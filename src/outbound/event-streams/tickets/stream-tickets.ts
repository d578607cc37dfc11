import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, type TicketMaker, TicketRedeemer } from '../../../kernel/auth';
import { digestOf } from '../../../kernel/common';
import { JobHandlers } from '../../../kernel/jobs';
import { ADD_TICKET, DELETE_EXPIRED_TICKETS, TAKE_TICKET } from './stream-tickets.query';

const WORKS_SECONDS = 60;
const CLEAN_UP_SECONDS = 300;
const TICKET_BYTES = 32;

/** A ticket as its maker gets it, this once. */
interface NewTicket {
  readonly ticket: string;
  readonly expiresAt: Date;
}

/**
 * Tickets with which browsers open streams, since their EventSource sends no headers: each once, within a minute, for
 * one stream (docs/streams.md#tickets). Only digests are stored.
 */
@Injectable()
export class StreamTickets extends TicketRedeemer {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    handlers: JobHandlers,
  ) {
    super();
    handlers.every('stream-tickets-clean-up', CLEAN_UP_SECONDS, async () => {
      await DELETE_EXPIRED_TICKETS.rows(this.database);
    });
  }

  /** Makes a ticket for a caller. @param subject what it is for */
  async make(
    { keyId, sessionId, keyExpiresAt }: Pick<Caller, 'keyId' | 'sessionId' | 'keyExpiresAt'>,
    subject: string,
  ): Promise<NewTicket> {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const parameters = [digestOf(ticket), keyId, sessionId ?? null, keyExpiresAt, subject, WORKS_SECONDS];
    const [row] = await ADD_TICKET.rows(this.database, parameters);
    if (row === undefined) throw new Error('The ticket was not stored.');
    return { ticket, expiresAt: row.expires_at };
  }

  override async redeem(ticket: string, subject: string): Promise<TicketMaker | null> {
    const [taken] = await TAKE_TICKET.rows(this.database, [digestOf(ticket)]);
    if (taken === undefined || !taken.works || taken.subject !== subject) return null;
    const { api_key_id, session_id, credential_expires_at } = taken;
    return { keyId: api_key_id, sessionId: session_id, keyExpiresAt: credential_expires_at };
  }
}
