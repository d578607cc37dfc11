import { randomUUID } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { CredentialVerifiers, type ExternalVerifier, type VerifiedPerson } from '../../../src/kernel/auth';
import { makeProvider } from '../../support/identity/providers';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

/** Knows the credentials that a test names. */
@Injectable()
class KnownVerifier implements ExternalVerifier {
  readonly name = 'known';
  readonly emails = new Map<string, string>();

  constructor(verifiers: CredentialVerifiers) {
    verifiers.register(this);
  }

  verify(credential: string): Promise<VerifiedPerson | null> {
    const email = this.emails.get(credential);
    return Promise.resolve(email === undefined ? null : { email, expiresAt: new Date(Date.now() + 60_000) });
  }
}

@Module({ providers: [KnownVerifier] })
class KnownModule {}

describe('beside verifiers of extensions, a provider of an organization', () => {
  let double: OpenIdDouble;
  let app: TestApp;
  beforeAll(async () => {
    double = await OpenIdDouble.start();
    app = await startTestApp({
      env: { APP_ROLE: 'api', OIDC_ALLOWED_HOSTS: double.host },
      extensions: [KnownModule],
    });
  });
  afterAll(async () => {
    await app.close();
    await double.close();
  });

  const send = (credential: string, headers: Readonly<Record<string, string>> = {}) =>
    call<{ user_id: string }>(app, 'GET', '/api/keys/current', {
      headers: { Authorization: `Bearer ${credential}`, ...headers },
    });

  it('sees no opaque credentials, and shuts out no JWTs by naming their issuer', async () => {
    const orgId = (await makeOrg(app.db)).id;
    const { audience, domain } = await makeProvider(app.db, {
      orgId,
      issuer: double.issuer,
      introspection: true,
      defaultRole: 'member',
    });
    const person = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const claims = { aud: audience, email: person.email, email_verified: true };
    const [jwt, opaque] = [await double.token('theirs', claims), randomUUID()];
    for (const known of [jwt, opaque]) app.app.get(KnownVerifier).emails.set(known, person.email);
    for (const known of [jwt, opaque]) expect((await send(known)).body.user_id).toBe(person.userId);
    for (const sent of [opaque, randomUUID()]) await send(sent, { 'X-Org-Id': orgId });
    expect(double.introspected).toEqual([]);
    const own = await double.token('ada', { ...claims, email: `ada@${domain}` });
    expect((await send(own)).status).toBe(401);
    expect((await send(own, { 'X-Org-Id': orgId })).status).toBe(200);
    expect((await send(own)).status).toBe(200);
  });
});
