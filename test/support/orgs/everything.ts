import { randomBytes, randomUUID } from 'node:crypto';
import { operationsOf } from '../../contract/operations';
import { Tenant } from '../../contract/tenant';
import type { TestApp } from '../service/app';
import { makeUser, type TestUser } from '../service/factories';
import { call } from '../service/http';

const digest = (): string => randomBytes(32).toString('hex');

/** Adds up what waits to be counted. */
export async function foldCounters({ db }: TestApp): Promise<void> {
  for (const fold of [
    'conversation_counts_fold(1000)',
    'conversation_completed_fold(1000)',
    'conversation_sandbox_fold(1000)',
    'usage_fold(1000, 100, 100)',
  ])
    await db.query(`SELECT ${fold}`);
}

/**
 * An organization with rows in every table in which one can have any. Its people have no other; beside them a member who was
 * there before is in it.
 * @param word stands in its texts
 */
export async function everythingIn(app: TestApp, member: TestUser, word: string): Promise<Tenant> {
  const { db } = app;
  const longText = `${word} ${'x'.repeat(5_000)}`;
  const people = await makeUser(db);
  const tenant = await Tenant.make(app, operationsOf(app), people);
  const { orgId, owner } = tenant;
  const conversation = tenant.path('{conversation_id}');
  const sandbox = tenant.path('{sandbox_id}');
  const webhook = tenant.path('{webhook_id}');
  const provider = tenant.path('{provider_id}');
  const run = (sql: string, parameters: readonly unknown[] = []) => db.query(sql, [...parameters]);
  const sent = async (method: string, path: string, body: unknown): Promise<void> => {
    const headers = { 'X-Access-Token': owner.key, 'Idempotency-Key': randomUUID() };
    const { status, body: said } = await call(app, method, path, { headers, body });
    if (status >= 400) throw new Error(`${path}: ${JSON.stringify(said)}`);
  };
  await sent('PATCH', `/api/organizations/${orgId}`, { name: `${word} and sons` });
  await sent('POST', `/api/v1/conversations/${conversation}/pending-messages`, {
    content: [{ type: 'text', text: longText }],
  });
  await sent('POST', `/api/v1/conversations/${randomUUID()}/pending-messages`, {
    content: [{ type: 'text', text: longText }],
  });
  await sent('POST', `/api/organizations/${orgId}/roles`, {
    name: `${word} role`,
    permissions: ['view_audit_log'],
  });
  await sent('POST', `/api/organizations/${orgId}/event-stream-tickets`, {}).catch(() => undefined);
  await run(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'member')`, [orgId, member.id]);
  await run(
    `INSERT INTO user_secrets (id, org_id, user_id, name, sealed_value) VALUES ($1, $2, $3, $4, 'sealed')`,
    [randomUUID(), orgId, member.id, word.toUpperCase()],
  );
  await run(`UPDATE conversations SET execution_status = 'finished' WHERE id = $1`, [conversation]);
  await foldCounters(app);
  await run(
    `UPDATE conversations SET title = $2, accumulated_cost = 1, updated_at = updated_at - interval '2 hours' WHERE id = $1`,
    [conversation, word],
  );
  await run('UPDATE domain_events SET position = 1000000 + id WHERE org_id = $1 AND kind <> $2', [
    orgId,
    'message.queued',
  ]);
  const queue = '(SELECT id FROM message_queues WHERE conversation_id = $1)';
  await run(`UPDATE pending_messages SET state = 'delivering' WHERE queue_id = ${queue} AND rank = 1`, [
    conversation,
  ]);
  const position = 2_000_000 + Number.parseInt(orgId.slice(0, 6), 16);
  for (const [sql, parameters] of [
    [
      `INSERT INTO audit_log (position, org_id, id, at, actor_kind, action, outcome, entry, hash)
       VALUES ($1, $2, $3, now(), 'user', 'a', 'success', $4, decode($5, 'hex'))`,
      [position, orgId, randomUUID(), `{"org_id":"${orgId}"}`, digest()],
    ],
    [
      `INSERT INTO audit_personal (position, user_id, personal, salt) VALUES ($1, $2, '{}', decode($3, 'hex'))`,
      [position, people.id, digest().slice(32)],
    ],
    [
      `INSERT INTO audit_seals (org_id, first_position, position, rows, hash, mac, key_id, sealed_at)
       VALUES ($1, $2, $2, 1, decode($3, 'hex'), decode($3, 'hex'), 'k', now())`,
      [orgId, position, digest()],
    ],
    [
      `INSERT INTO ended_keys (digest, user_id, org_id, prefix) VALUES ($1, $2, $3, 'ocs_gone')`,
      [digest(), people.id, orgId],
    ],
    [
      `INSERT INTO erasures (id, user_id, org_id, of_account, asked_by, state, finished_at)
       VALUES ($1, $2, $3, false, 'owner', 'done', now())`,
      [randomUUID(), member.id, orgId],
    ],
    [
      `UPDATE legal_holds SET reason = $2, lifted_at = now(), lifted_by_user_id = created_by_user_id WHERE org_id = $1`,
      [orgId, word],
    ],
    [`UPDATE budgets SET reason = $2 WHERE org_id = $1`, [orgId, word]],
    [
      `INSERT INTO model_calls (id, org_id, conversation_id, user_id, repository, tags, model, provider, status,
                                reserved_usd, reserved_tokens, budget_ids, process_id, at)
       VALUES ($1, $2, $3, $4, $5, '{}', 'a', 'a', 'ok', 1, 1, '{}', $1, now())`,
      [randomUUID(), orgId, conversation, people.id, word],
    ],
    [
      `INSERT INTO budget_deltas (org_id, conversation_id, user_id, repository, tags, usd, tokens, at)
       VALUES ($1, $2, $3, $4, '{}', 1, 1, now())`,
      [orgId, conversation, people.id, word],
    ],
    [`INSERT INTO awaited_deletions (conversation_id, org_id) VALUES ($1, $2)`, [conversation, orgId]],
    [`INSERT INTO org_retention (org_id, events_days) VALUES ($1, 30)`, [orgId]],
    [`INSERT INTO model_policies (org_id, allowed_models) VALUES ($1, '["openai/*"]')`, [orgId]],
    [
      `INSERT INTO model_refusals (org_id, hour, code, model, count, last_at)
       VALUES ($1, date_trunc('hour', now()), 'model_not_allowed', $2, 1, now())`,
      [orgId, word],
    ],
    [`INSERT INTO retention_runs (org_id, fence) VALUES ($1, nextval('job_fences'))`, [orgId]],
    [
      `INSERT INTO retention_announcements (org_id, kind, announced_at, announced_before)
       VALUES ($1, 'events', now(), now())`,
      [orgId],
    ],
    [
      `INSERT INTO conversation_usage_removed (org_id, llm_model, conversations, accumulated_cost, prompt_tokens,
                                               completion_tokens, cache_read_tokens, cache_write_tokens)
       VALUES ($1, $2, 1, 1, 1, 1, 1, 1)`,
      [orgId, word],
    ],
    [
      `INSERT INTO agent_settings (id, org_id, user_id, llm_model) VALUES ($1, $2, $3, $4)`,
      [randomUUID(), orgId, people.id, word],
    ],
    [
      `INSERT INTO conversation_removals (conversation_id, sandbox_id, settles_at) VALUES ($1, $2, now())`,
      [conversation, sandbox],
    ],
    [`INSERT INTO device_code_tries (subject, count, ends_at) VALUES ($1, 1, now())`, [`user ${people.id}`]],
    [
      `INSERT INTO device_logins (id, device_code_digest, user_code_digest, address, counted_address, created_at,
         expires_at, interval_seconds, user_id, org_id) VALUES ($1, $2, $3, 'a', 'a', now(), now(), 5, $4, $5)`,
      [randomUUID(), digest(), digest(), people.id, orgId],
    ],
    [`INSERT INTO domain_events_gone (org_id, position) VALUES ($1, 1)`, [orgId]],
    [
      `INSERT INTO ended_identities (provider_id, subject, ended_at, email) VALUES ($1, $2, now(), $3)`,
      [provider, word, `gone-${orgId}@example.com`],
    ],
    [
      `INSERT INTO invitation_codes (id, invitation_id, generation, email, digest, created_at, expires_at)
       SELECT $1, id, 1, email, $2, now(), now() FROM invitations WHERE org_id = $3`,
      [randomUUID(), digest(), orgId],
    ],
    [`INSERT INTO new_people (org_id, since, people) VALUES ($1, now(), 1)`, [orgId]],
    [`INSERT INTO org_app_settings (org_id, updated_at) VALUES ($1, now())`, [orgId]],
    [
      `INSERT INTO org_credential_rules (org_id, only_provider_id, keys_beside_provider) VALUES ($1, $2, true)`,
      [orgId, provider],
    ],
    [`INSERT INTO request_counts (bucket, subject, count, ends_at) VALUES ('door', $1, 1, now())`, [sandbox]],
    [
      `INSERT INTO sandbox_kept_logs (sandbox_id, org_id, lines, kept_until) VALUES ($1, $2, $3, now())`,
      [sandbox, orgId, word],
    ],
    [
      `INSERT INTO scim_users (org_id, id, email, active, resource) VALUES ($1, $2, $3, true, '{}')`,
      [orgId, people.id, people.email],
    ],
    [
      `INSERT INTO scim_group_members (org_id, group_id, scim_user_id) VALUES ($1, $2, $3)`,
      [orgId, tenant.path('{group_id}'), people.id],
    ],
    [
      `INSERT INTO sign_in_proofs (id, email, org_id, user_id, token_digest, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, now(), now())`,
      [randomUUID(), people.email, orgId, people.id, digest()],
    ],
    [
      `INSERT INTO stream_tickets (digest, api_key_id, subject, expires_at) VALUES ($1, $2, $3, now())`,
      [digest(), owner.keyId, `conversation_id ${conversation}`],
    ],
    [`INSERT INTO user_app_settings (user_id, updated_at) VALUES ($1, now())`, [people.id]],
    [
      `INSERT INTO user_org_app_settings (user_id, org_id, updated_at) VALUES ($1, $2, now())`,
      [member.id, orgId],
    ],
    [
      `INSERT INTO user_identities (provider_id, subject, user_id) VALUES ($1, $2, $3)`,
      [provider, word, member.id],
    ],
    [
      `INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, answer)
       SELECT id, 1, now(), 1, $2 FROM webhook_deliveries WHERE webhook_id = $1`,
      [webhook, word],
    ],
    [
      `INSERT INTO webhook_lanes (webhook_id, lane, due_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING`,
      [webhook, conversation],
    ],
    [`UPDATE sandboxes SET status = 'MISSING' WHERE id = $1`, [sandbox]],
    [
      `UPDATE users SET confined_to_org_id = $1 WHERE id IN (SELECT user_id FROM org_members WHERE org_id = $1)
         AND id <> $2`,
      [orgId, member.id],
    ],
  ] as const)
    await run(sql, parameters);
  return tenant;
}
