import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../../accounts/personal-data';
import { WebhookDelivery } from '../record/webhook-delivery.entity';
import { DELIVERIES_OF_PERSON } from './deliveries-of-person.read-model';

const LOOKED_AT = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Callbacks about a person's conversations, those that wait as well as those that were delivered. */
@Injectable()
export class PersonalDeliveries implements PersonalPart {
  readonly name = 'webhook_deliveries';

  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  count(): Promise<Counts> {
    return Promise.resolve({});
  }

  async erase({ userId, orgId }: PersonalScope, run: ErasureRun): Promise<void> {
    let after = FIRST;
    for (;;) {
      const rows = await DELIVERIES_OF_PERSON.rows(this.deliveries.manager, [
        userId,
        orgId,
        after,
        LOOKED_AT,
      ]);
      const theirs = rows.flatMap(({ id, is_theirs }) => (is_theirs ? [id] : []));
      if (theirs.length > 0) await this.deliveries.delete({ id: In(theirs) });
      await run.done(this.name);
      const last = rows.at(-1);
      if (last === undefined || rows.length < LOOKED_AT) return;
      after = last.id;
    }
  }
}
