import { Module } from '@nestjs/common';
import { StreamTickets } from './stream-tickets';

/** Tickets, in a module of their own: authentication depends on them, and streams depend on authentication. */
@Module({ providers: [StreamTickets], exports: [StreamTickets] })
export class StreamTicketsModule {}
