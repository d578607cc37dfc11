import { Client } from 'pg';

/** What a replica tells the others a little after its commits, for all of them together. */
const NOTICE = 'pg_notify';

/** How many statements an action takes on the connections of this process, those of its transactions included. */
export async function statementsOf(action: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await action();
    return query.mock.calls.filter((call) => !JSON.stringify(call[0]).includes(NOTICE)).length;
  } finally {
    query.mockRestore();
  }
}
