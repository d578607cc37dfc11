import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from './postgres';

/** A database in which several connections write conversations at once, each in transactions of its own. */
export class WrittenDatabase {
  private readonly clients: Client[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
  ) {}

  /** @param held the ids of users and organizations that are there */
  static async start(held: {
    readonly users: readonly string[];
    readonly orgs: readonly string[];
  }): Promise<WrittenDatabase> {
    const database = await createTestDatabase();
    const dataSource = await createDataSource(database.url, 2).initialize();
    for (const user of held.users)
      await dataSource.query('INSERT INTO users (id, email) VALUES ($1, $2)', [user, `${user}@example.com`]);
    for (const org of held.orgs)
      await dataSource.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [org, 'o']);
    return new WrittenDatabase(database, dataSource);
  }

  /** A connection of its own, until the end. */
  async connect(): Promise<Client> {
    const client = new Client(this.database.url);
    await client.connect();
    this.clients.push(client);
    return client;
  }

  async stop(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
    await this.dataSource.destroy();
    await this.database.drop();
  }
}

/** The id of a row of a writer: the same again and again, so that changes meet. */
export function rowId(writer: number, row: number): string {
  return `00000000-0000-4000-8000-${String(writer * 1_000 + row).padStart(12, '0')}`;
}
