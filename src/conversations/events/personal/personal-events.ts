import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  inLine,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../../accounts/personal-data';
import { PersonalConversations } from '../../conversations';
import { EventRepository } from '../storage/event.repository';
import { COUNT_EVENTS, DELETE_LOG, LOGGED } from './personal-events.query';

/** The events of a person's conversations. */
@Injectable()
export class PersonalEvents implements PersonalPart {
  readonly name = 'events';

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: PersonalConversations,
    private readonly events: EventRepository,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    return [{ name: this.name, lines: () => this.lines(scope) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    let events = 0;
    for await (const ids of this.conversations.idsOf(scope)) {
      const [row] = await COUNT_EVENTS.rows(this.database, [ids]);
      events += row?.events ?? 0;
    }
    return { events };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    for await (const ids of this.conversations.deletedOf(scope))
      for (const { conversation_id: id } of await LOGGED.rows(this.database, [ids])) {
        await DELETE_LOG.rows(this.database, [id]);
        await run.done(this.name);
      }
  }

  private async *lines(scope: PersonalScope): AsyncGenerator<string> {
    for await (const ids of this.conversations.idsOf(scope))
      for (const id of ids) {
        let batch = await this.events.batch(id, null);
        while (batch.length > 0) {
          for (const { payload } of batch) yield `{"conversation_id":"${id}","event":${inLine(payload)}}`;
          batch = await this.events.batch(id, batch.at(-1)?.id ?? null);
        }
      }
  }
}
