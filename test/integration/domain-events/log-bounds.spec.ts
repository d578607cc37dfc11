import { DomainEventKinds, DomainEventReader } from '../../../src/kernel/domain-events';
import { createDataSource } from '../../../src/kernel/database';
import { newId } from '../../../src/kernel/common';
import { createTestDatabase } from '../../support/database/postgres';

it('a log in which nothing has happened has given no position, not even the first', async () => {
  const database = await createTestDatabase();
  const db = await createDataSource(database.url, 1).initialize();
  const reader = new DomainEventReader(db, new DomainEventKinds());
  try {
    expect(await reader.bounds(newId())).toEqual({ last: 0, given: 0 });
    await db.query(`SELECT nextval('domain_event_positions')`);
    expect(await reader.bounds(newId())).toEqual({ last: 0, given: 1 });
  } finally {
    await db.destroy();
    await database.drop();
  }
});
