import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { call } from '../../support/service/http';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { inviteOne, sendForm, tokenOf } from '../../support/invitations/invitations';
import { partsOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';

/** What is deleted with an account, by the database: every column with the id of a user, and what refers to those. */
const DELETED = [
  'agent_profiles.user_id',
  'agent_settings.user_id',
  'api_keys.let_in_by_user_id',
  'api_keys.user_id',
  'conversations.created_by_user_id',
  'git_credentials.user_id',
  'idempotency_keys.user_id',
  'invitation_calls.inviter_user_id',
  'invitations.inviter_user_id',
  'llm_profiles.user_id',
  'message_queues.user_id',
  'org_members.user_id',
  'sandboxes.created_by_user_id',
  'sign_in_proofs.made_by_user_id',
  'sign_in_proofs.user_id',
  'start_tasks.created_by_user_id',
  'user_app_settings.user_id',
  'user_org_app_settings.user_id',
  'user_secrets.user_id',
];

/** Likewise, but of nobody whose address is not proved: who is let in by a provider, approves a device or makes service accounts. */
const DELETED_OF_OTHERS = [
  'api_keys.made_by_user_id',
  'device_logins.user_id',
  'service_accounts.user_id',
  ...[
    'user_identities.user_id',
    'user_identities.bound_by_user_id',
    'ended_keys.user_id',
    'erasures.user_id',
  ],
];

/** What an organization keeps, without the account. */
const EMPTIED = ['webhooks.created_by_user_id'];

/** Where the id of an account may be found afterwards. */
const HISTORY: Readonly<Record<string, string>> = {
  'public.domain_events': 'what happened',
  'public.audit_log': 'who did what',
  'public.audit_personal': 'from where, which goes with an erasure',
  'public.message_bytes': 'a count, which is 0',
  'public.webhook_deliveries': 'what happened, as webhooks are told',
  'public.request_counts': 'how many requests there were in this minute',
  'public.usage_deltas': 'what was used',
  'public.usage_by_day': 'what was used, by day',
  'public.usage_by_month': 'what was used, by month',
  'public.usage_of_users': 'what was used, by user',
  'graphile_worker._private_jobs': 'what happened, as listeners are told',
};

const KEY = /ocs_[0-9A-Za-z]{38}/;
const EMAIL = 'grace@example.com';

describe('an account that an inviter prepared', () => {
  let sink: SmtpSink;
  let withoutMail: TestApp;
  let service: TestApp;
  let inviter: TestCaller;
  let prepared: { readonly id: string; readonly key: string };
  beforeAll(async () => {
    sink = await startSmtpSink();
    withoutMail = await startTestApp({ env: { APP_ROLE: 'api' } });
    service = await startTestApp({
      database: withoutMail.database,
      env: { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@acme.example', SANDBOX_DRIVER: 'embedded' },
    });
    inviter = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    prepared = await prepareAccount();
  });
  afterAll(async () => {
    await service.close();
    await withoutMail.close();
    await sink.close();
  });

  /** Where there is no mail, the link alone makes an account. */
  async function prepareAccount(): Promise<typeof prepared> {
    const token = tokenOf(await inviteOne(withoutMail, inviter, EMAIL, 'admin'));
    const { body } = await sendForm(withoutMail, { token, step: 'create', name: 'Impostor' });
    const key = KEY.exec(body)![0];
    const current = await call<{ user_id: string }>(withoutMail, 'GET', '/api/keys/current', { key });
    return { id: current.body.user_id, key };
  }

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const { status } = await call(withoutMail, 'POST', path, { key: prepared.key, body, headers });
    expect([path, status < 300]).toEqual([path, true]);
  };

  async function fill(): Promise<void> {
    const org = `/api/organizations/${inviter.orgId}`;
    await post('/api/v1/settings', {
      agent_settings_diff: {
        llm: { model: 'openai/evil', base_url: 'https://evil.example.com', api_key: 'sk-evil' },
        mcp_config: { evil: { url: 'https://evil.example.com/mcp', headers: { Authorization: 'evil' } } },
      },
    });
    await post('/api/v1/settings/profiles/Evil', { llm: { model: 'openai/evil', api_key: 'sk-evil' } });
    await post('/api/agent-profiles/Evil', { llm_profile_ref: 'Evil' });
    await post('/api/v1/secrets', { name: 'EVIL', value: 'evil' }, { 'Idempotency-Key': 'evil' });
    const credential = { url_prefix: 'https://evil.example.com', username: 'evil', password: 'evil' };
    await post('/api/v1/git/credentials', credential);
    await post('/api/users/app', { registered_marketplaces: [{ name: 'evil', source: 'github:evil/evil' }] });
    await post(`${org}/members/invite`, { emails: ['accomplice@example.com'], role: 'admin' });
    await post(`${org}/webhooks`, { url: 'https://evil.example.com', kinds: ['*'] });
    const content = [{ type: 'text', text: 'Do evil.' }];
    await post('/api/v1/app-conversations', { initial_message: { content } }, { 'Idempotency-Key': 'start' });
    await post('/api/v1/conversations/early/pending-messages', { content });
    await service.db.query(
      `INSERT INTO sign_in_proofs (id, email, org_id, user_id, made_by_user_id, token_digest, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $3, repeat('0', 64), now(), now() + interval '1 hour')`,
      [EMAIL, inviter.orgId, prepared.id],
    );
    await service.db.query(
      `INSERT INTO api_keys (user_id, org_id, prefix, digest, let_in_by_user_id)
       VALUES ($1, $2, 'ocs_', repeat('0', 64), $3)`,
      [inviter.userId, inviter.orgId, prepared.id],
    );
    // What was kept while the account could be used everywhere.
    await service.db.query('INSERT INTO user_app_settings (user_id, updated_at) VALUES ($1, now())', [
      prepared.id,
    ]);
    for (const column of [
      'user_secrets',
      'git_credentials',
      'agent_settings',
      'llm_profiles',
      'agent_profiles',
    ])
      await service.db.query(`UPDATE ${column} SET org_id = NULL WHERE user_id = $1`, [prepared.id]);
  }

  /** Columns that have, by name or by a foreign key, the id of a user, and what the database does when that goes. */
  const columns = () =>
    service.db.query<{ name: string; ends: 'c' | 'n' | null }[]>(
      `SELECT c.table_name || '.' || c.column_name AS name, k.confdeltype AS ends
         FROM information_schema.columns c
         JOIN pg_class r ON r.relname = c.table_name AND r.relnamespace = 'public'::regnamespace AND r.relkind IN ('r', 'p')
         JOIN pg_attribute a ON a.attrelid = r.oid AND a.attname = c.column_name
         LEFT JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype = 'f' AND k.confrelid = 'users'::regclass
                                  AND k.conkey = ARRAY[a.attnum]
        WHERE c.table_schema = 'public' AND (k.oid IS NOT NULL OR c.column_name ~ '(user|person|creator|owner|member)(_id)?$'
              OR c.column_name ~ '_by(_|$)') AND c.data_type <> 'text'
        ORDER BY 1`,
    );

  /** The tables in which a text is found anywhere. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await service.db.query<{ name: string }[]>(
      `SELECT n.nspname || '.' || r.relname AS name FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
        WHERE r.relkind = 'r' AND n.nspname !~ '^pg_|information_schema' ORDER BY 1`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await service.db.query<unknown[]>(
          `SELECT FROM ${name} AS t WHERE strpos(t::text, $1) > 0 LIMIT 1`,
          [text],
        );
        return rows.length > 0 ? [name] : [];
      }),
    );
    return found.flat();
  }

  async function takeOver(joined: TestCaller, email = EMAIL): Promise<string> {
    const token = tokenOf(await inviteOne(service, joined, email));
    await sendForm(service, { token, step: 'code', name: 'Grace' });
    const code = await eventually(() => {
      const mails = sink.received.filter(({ to }) => to[0] === email).map((each) => partsOf(each).text);
      const codes = mails.flatMap((text) => /^ {4}(\d{6})\r?$/m.exec(text)?.[1] ?? []);
      expect(codes).toHaveLength(1);
      return codes[0]!;
    });
    const { body } = await sendForm(service, { token, step: 'confirm', code, name: 'Grace' });
    return KEY.exec(body)![0];
  }

  it('has nothing in a table of which the database does not know that it is the account’s', async () => {
    const found = await columns();
    const those = (ends: string | null): string[] =>
      found
        .filter((column) => column.ends === ends)
        .map(({ name }) => name)
        .sort();
    expect({ deleted: those('c'), emptied: those('n'), unknown: those(null) }).toEqual({
      deleted: [...DELETED, ...DELETED_OF_OTHERS].sort(),
      emptied: [...EMPTIED, 'service_accounts.owner_user_id'].sort(),
      // A count of what users or organizations have, which is then 0; people of a directory; what an organization's users used, and
      // what its log, its budgets and its legal holds say of them, which stay. Roles, which are no people.
      unknown: [
        'audit_log.actor_user_id',
        'audit_personal.user_id',
        'budget_deltas.user_id',
        'budget_spending.user_id',
        'budgets.created_by_user_id',
        'erasures.asked_by_user_id',
        'legal_holds.created_by_user_id',
        'legal_holds.lifted_by_user_id',
        'legal_holds.user_id',
        'message_bytes.owner_id',
        'model_calls.user_id',
        'model_policies.allowed_by_role',
        'organizations.ending_by_user_id',
        'scim_group_members.scim_user_id',
        'usage_by_day.first_user_id',
        'usage_deltas.user_id',
        'usage_of_users.user_id',
      ],
    });
  });

  it('goes with all that was set in it when its owner proves the address, who gets a new one', async () => {
    await fill();
    for (const column of [...DELETED, ...EMPTIED]) {
      const [table, name] = column.split('.');
      const rows = await service.db.query<unknown[]>(`SELECT FROM ${table} WHERE ${name} = $1`, [
        prepared.id,
      ]);
      expect([column, rows.length > 0]).toEqual([column, true]);
    }

    const sandboxes = async () =>
      (await call(service, 'GET', '/api/v1/sandboxes/search', { key: prepared.key })).body;
    await eventually(async () => expect(await sandboxes()).toMatchObject({ items: [{ status: 'RUNNING' }] }));

    const other = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    const key = await takeOver(other);
    expect((await tablesWith(prepared.id)).filter((table) => HISTORY[table] === undefined)).toEqual([]);
    expect((await call(service, 'GET', '/api/keys', { key: prepared.key })).status).toBe(401);

    const read = async (path: string) => (await call(service, 'GET', path, { key })).body;
    expect(await read('/api/keys/current')).toMatchObject({ org_id: other.orgId, bound_org_id: null });
    expect(await read('/api/v1/settings')).toMatchObject({ mcp_config: {}, llm_base_url: null });
    expect(JSON.stringify([await read('/api/v1/settings'), await read('/api/users/app')])).not.toContain(
      'evil',
    );
    expect(await read('/api/v1/settings/profiles')).toEqual({ profiles: [], active_profile: null });
    expect(await read('/api/agent-profiles')).toMatchObject({ profiles: [] });
    expect(await read('/api/v1/secrets/search')).toMatchObject({ items: [] });
    expect(await read('/api/v1/git/credentials')).toEqual({ credentials: [] });
    // That of the browser in which the address was proved.
    expect(await read('/api/sessions')).toHaveLength(1);
    const organizations = await read('/api/organizations');
    expect(organizations).toMatchObject({ current_org_id: other.orgId, items: { length: 2 } });
    // Its agent goes on for some seconds, but nobody can reach it, and its key is none.
    const left = () => service.db.query('SELECT FROM sandbox_leftovers');
    await eventually(async () => expect(await left()).toEqual([]));
  });

  it('takes nothing more, not even what was under way when it was taken over', async () => {
    const email = 'ada@example.com';
    const token = tokenOf(await inviteOne(withoutMail, inviter, email));
    const page = await sendForm(withoutMail, { token, step: 'create', name: 'Impostor' });
    const key = KEY.exec(page.body)![0];
    const body = JSON.stringify({
      url_prefix: 'https://evil.example.com',
      username: 'evil',
      password: 'evil',
    });
    // Authenticated by its headers, while the body comes slowly.
    const held = request(`${withoutMail.url}/api/v1/git/credentials`, {
      method: 'POST',
      headers: { 'X-Access-Token': key, 'Content-Type': 'application/json', 'Content-Length': body.length },
    });
    held.write(body.slice(0, 5));
    await eventually(async () => {
      const [row] = await service.db.query<{ used: boolean }[]>(
        `SELECT bool_or(last_used_at IS NOT NULL) AS used FROM api_keys k JOIN users u ON u.id = k.user_id WHERE u.email = $1`,
        [email],
      );
      expect(row?.used).toBe(true);
    });
    const joined = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    const own = await takeOver(joined, email);
    const answered = once(held, 'response');
    held.end(body.slice(5));
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
    const kept = await call(service, 'GET', '/api/v1/git/credentials', { key: own });
    expect(kept.body).toEqual({ credentials: [] });
  });
});
