import { Module } from '@nestjs/common';
import { StreamTickets } from './stream-tickets';

/** Tickets apart from the streams: who authenticates needs them, and streams need who authenticates. */
@Module({ providers: [StreamTickets], exports: [StreamTickets] })
export class StreamTicketsModule {}
