import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { MAX_NEW_PEOPLE_PER_HOUR } from '../record/limits';
import { countNewPerson } from './new-people.query';
import { TooManyNewPeopleError } from './people.errors';

const HOUR_MS = 3_600_000;

/**
 * Bounds how many people come into an organization for the first time in an hour, by all of its providers together: an owner's provider
 * can name as many as it likes, and each becomes an account (docs/sign-in-providers.md#who-is-let-in).
 */
@Injectable()
export class NewPeople {
  private readonly logger = new Logger(NewPeople.name);

  constructor(private readonly clock: Clock) {}

  /** Counts one, as long as the transaction is not rolled back. @throws TooManyNewPeopleError */
  async count(transaction: EntityManager, orgId: string, providerId: string): Promise<void> {
    const now = this.clock.now();
    const { people, since } = await countNewPerson(transaction, orgId, now);
    if (people <= MAX_NEW_PEOPLE_PER_HOUR) return;
    this.logger.warn({ orgId, provider: providerId }, 'Too many new people came by a provider of identities');
    throw new TooManyNewPeopleError(Math.ceil((since.getTime() + HOUR_MS - now.getTime()) / 1_000));
  }
}
