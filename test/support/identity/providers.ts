import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** As what the service is known at the providers of tests. */
export const CLIENT_ID = 'agents';

/** The fields of a provider that a test chooses. */
interface ProviderFields {
  readonly orgId: string;
  readonly issuer: string;
  /** What people see on the button. */
  readonly name?: string;
  readonly audience?: string;
  readonly introspection?: boolean;
  /** Of who comes for the first time. */
  readonly defaultRole?: string;
  readonly groupRoles?: readonly { readonly group: string; readonly role: string }[];
}

/** A provider of an organization, which may say who has an address of the organization's domain. */
export async function makeProvider(
  db: DataSource,
  { orgId, issuer, ...fields }: ProviderFields,
): Promise<{ readonly id: string; readonly audience: string; readonly domain: string }> {
  const id = randomUUID();
  const audience = fields.audience ?? `urn:audience:${id}`;
  await db.query(
    `INSERT INTO identity_providers
       (id, org_id, name, issuer, client_id, audience, introspection, default_role, group_roles)
     VALUES ($1, $2, $9, $3, $8, $4, $5, $6, $7)`,
    [
      id,
      orgId,
      issuer,
      audience,
      fields.introspection ?? false,
      fields.defaultRole ?? null,
      JSON.stringify(fields.groupRoles ?? []),
      CLIENT_ID,
      fields.name ?? 'Company',
    ],
  );
  const domain = `${orgId}.example.com`;
  await db.query(
    `INSERT INTO identity_domains (org_id, domain, token, verified_at, verified_by)
     VALUES ($1, $2, 't', now(), 'operator') ON CONFLICT DO NOTHING`,
    [orgId, domain],
  );
  return { id, audience, domain };
}
