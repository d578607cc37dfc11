import { eventually } from '../support/eventually';
import { call } from '../support/service/http';

interface Sandboxes {
  readonly items: readonly { readonly id: string; readonly status: string }[];
}

/** Deletes what sandboxes a user has, and waits until they are gone: those of `process` outlive their service. */
export async function endSandboxes(url: string, key: string): Promise<void> {
  const left = async () => {
    const { body } = await call<Sandboxes>({ url }, 'GET', '/api/v1/sandboxes/search', { key });
    return body.items.filter(({ status }) => status !== 'MISSING');
  };
  for (const { id } of await left()) await call({ url }, 'DELETE', `/api/v1/sandboxes/${id}`, { key });
  await eventually(async () => {
    if ((await left()).length > 0) throw new Error('A sandbox still exists.');
  }, 60_000);
}
