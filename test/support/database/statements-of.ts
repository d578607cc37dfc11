import { Client } from 'pg';

/** What a replica does a little after its commits, for all of them together: what it tells the others, and `updated_at`. */
const LATER = /pg_notify|touch_conversations/;

/** How many statements an action takes on the connections of this process, those of its transactions included. */
export async function statementsOf(action: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await action();
    return query.mock.calls.filter((call) => !LATER.test(JSON.stringify(call[0]))).length;
  } finally {
    query.mockRestore();
  }
}
