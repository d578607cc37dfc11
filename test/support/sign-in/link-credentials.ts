import type { TestCaller } from '../service/factories';
import { call } from '../service/http';
import { FROM_OWN_PAGE } from '../web-interface/browser-cookie';

const FORM = { ...FROM_OWN_PAGE, 'Content-Type': 'application/x-www-form-urlencoded' };

/** The token of a link that an administrator makes for a member of their organization. */
export async function linkToken(
  server: { readonly url: string },
  admin: TestCaller,
  userId: string,
): Promise<string> {
  const path = `/api/organizations/${admin.orgId}/members/${userId}/sign-in-link`;
  const { body } = await call<{ url: string }>(server, 'POST', path, { key: admin.key });
  return new URL(body.url).searchParams.get('token') ?? '';
}

/** Uses a link, as the form of its page does. @returns the status, and the headers of later requests of the page */
export async function useLink(
  server: { readonly url: string },
  token: string,
): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>> }> {
  const raw = new URLSearchParams({ token }).toString();
  const { status, headers } = await call(server, 'POST', '/login/link', { raw, headers: FORM });
  const [cookie = ''] = headers['set-cookie'] ?? [];
  return { status, headers: { Cookie: cookie.split(';', 1)[0] ?? '', ...FROM_OWN_PAGE } };
}

/** The session of a link, and a key that was made in it: what of requests carries either. */
export async function letIn(
  server: { readonly url: string },
  admin: TestCaller,
  userId: string,
): Promise<{ readonly session: Readonly<Record<string, string>>; readonly key: string }> {
  const { headers } = await useLink(server, await linkToken(server, admin, userId));
  const { body } = await call<{ key: string }>(server, 'POST', '/api/keys', {
    headers,
    body: { name: 'Made meanwhile', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  });
  return { session: headers, key: body.key };
}
