import type {
  BatchInvitationResponse,
  InvitationResponse,
} from '../../../src/accounts/invitations/record/invite.dto';
import { call } from '../service/http';

/** Invites one address over HTTP. */
export async function inviteOne(
  service: { readonly url: string },
  inviter: { readonly orgId: string; readonly key: string },
  email: string,
  role = 'member',
): Promise<InvitationResponse> {
  const path = `/api/organizations/${inviter.orgId}/members/invite`;
  const { body } = await call<BatchInvitationResponse>(service, 'POST', path, {
    key: inviter.key,
    body: { emails: [email], role },
  });
  return body.successful[0]!;
}

/** The token in an invitation's link. */
export function tokenOf({ invite_url }: InvitationResponse): string {
  return new URL(invite_url ?? '').searchParams.get('token') ?? '';
}

/** The page a link opens. */
export async function openPage(
  service: { readonly url: string },
  token: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const path = `/api/organizations/members/invite/accept?token=${encodeURIComponent(token)}`;
  return call<string>(service, 'GET', path, { headers });
}

/** Sends a form of the page as a browser does. */
export async function sendForm(
  service: { readonly url: string },
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { 'Sec-Fetch-Site': 'same-origin' },
) {
  return call<string>(service, 'POST', '/invitations/accept', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
}
