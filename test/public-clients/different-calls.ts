import { measuredRow } from '../clients/measured-row';

/** A request of a client, with the status it was answered with. */
export interface AnsweredCall {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

const ID = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g;

/**
 * The different calls of a client: each once, without ids and query, and whether all of it were answered as a client of
 * the public API expects (2xx).
 * @param service its address: calls of agent servers are named apart from its own
 */
export function differentCalls(
  calls: readonly AnsweredCall[],
  service: string,
): ReadonlyMap<string, boolean> {
  const different = new Map<string, boolean>();
  for (const { method, url, status } of calls) {
    const { origin, pathname } = new URL(url, service);
    const whose = origin === new URL(service).origin ? 'service' : 'agent server';
    const name = `${whose}: ${method} ${pathname.replaceAll(ID, '{id}')}`;
    different.set(name, (different.get(name) ?? true) && status >= 200 && status <= 299);
  }
  return different;
}

/** Fails unless the table in docs/clients.md says of a client what its test has found. */
export async function expectMeasured(
  client: string,
  version: string,
  different: ReadonlyMap<string, boolean>,
): Promise<void> {
  const answered = [...different].filter(([, expected]) => expected).map(([name]) => name);
  expect([...different.keys()]).toEqual(answered);
  const [calls, asExpected] = [different.size, answered.length];
  console.log(
    `${client} ${version}: ${calls} calls, ${asExpected} answered as expected:\n${answered.join('\n')}`,
  );
  expect(await measuredRow(client, version)).toEqual({ version, calls, asExpected });
}
