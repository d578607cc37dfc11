import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Most characters of columns. */
const CHARACTERS: readonly (readonly [table: string, column: string, most: number])[] = [
  ['organizations', 'name', 200],
  ['users', 'email', 320],
  ['users', 'name', 200],
  ['api_keys', 'name', 255],
  ['api_keys', 'prefix', 20],
  ['worker_heartbeats', 'worker_id', 100],
  ['worker_heartbeats', 'process', 500],
  ['invitations', 'email', 320],
  ['invitations', 'mail_detail', 1000],
  ['invitation_codes', 'email', 320],
  ['sandboxes', 'driver', 100],
  ['sandboxes', 'host_id', 255],
  ['sandboxes', 'status_detail', 1000],
  ['sandboxes', 'base_url', 2048],
  ['sandboxes', 'working_dir', 4096],
  ['sandboxes', 'sealed_session_key', 1000],
  ['sandbox_hosts', 'id', 255],
  ['sandbox_leftovers', 'host_id', 255],
  ['sandbox_leftovers', 'driver', 100],
  ['conversation_removals', 'driver', 100],
  ['conversation_removals', 'base_url', 2048],
  ['conversations', 'title', 1000],
  ['conversations', 'sort_title', 255],
  ['conversations', 'sort_model', 255],
  ['conversations', 'told_title', 1000],
  ['conversations', 'forwarded_title', 1000],
  ['conversations', 'llm_model', 255],
  ['conversations', 'agent_kind', 100],
  ['conversations', 'selected_repository', 2048],
  ['conversations', 'selected_branch', 255],
  ['start_tasks', 'detail', 4000],
  ['start_tasks', 'agent_server_url', 2048],
  ['events', 'id', 512],
  ['events', 'kind', 512],
  ['message_queues', 'early_key', 128],
  ['message_queues', 'closed_reason', 1000],
  ['pending_messages', 'role', 20],
  ['pending_messages', 'last_error', 2000],
  ['pending_messages', 'mark_event_id', 512],
];

const MEBIBYTE = 1024 * 1024;

/** Most bytes of columns whose texts are long. */
const BYTES: readonly (readonly [table: string, column: string, most: number, cast?: '::text'])[] = [
  ['org_app_settings', 'registered_marketplaces', 4 * MEBIBYTE, '::text'],
  ['user_app_settings', 'registered_marketplaces', 4 * MEBIBYTE, '::text'],
  ['user_org_app_settings', 'registered_marketplaces', 4 * MEBIBYTE, '::text'],
  ['conversations', 'tags', MEBIBYTE / 8, '::text'],
  ['start_tasks', 'request', 8 * MEBIBYTE, '::text'],
  ['start_tasks', 'sealed_secrets', 8 * MEBIBYTE],
  ['events', 'payload', 16 * MEBIBYTE],
  ['pending_messages', 'content', 20 * MEBIBYTE],
  ['idempotency_keys', 'answer', 16 * MEBIBYTE],
];

/** Values of columns that have few. */
const VALUES: readonly (readonly [table: string, column: string, values: string])[] = [
  ['conversations', 'execution_status', `'idle', 'running', 'paused', 'finished', 'error', 'stuck'`],
  [
    'conversations',
    'git_provider',
    `'github', 'gitlab', 'bitbucket', 'bitbucket_data_center', 'forgejo', 'azure_devops', 'enterprise_sso'`,
  ],
  [
    'conversations',
    'trigger',
    `'resolver', 'gui', 'suggested_task', 'openhands_api', 'slack', 'microagent_management', 'jira', 'jira_dc',
     'linear', 'bitbucket', 'automation'`,
  ],
  [
    'start_tasks',
    'status',
    `'WORKING', 'WAITING_FOR_SANDBOX', 'PREPARING_REPOSITORY', 'RUNNING_SETUP_SCRIPT', 'SETTING_UP_GIT_HOOKS',
     'SETTING_UP_SKILLS', 'STARTING_CONVERSATION', 'READY', 'ERROR'`,
  ],
];

/** Every CHECK: its table, its name and what it asks for. */
const CHECKS: readonly (readonly [table: string, name: string, condition: string])[] = [
  ...CHARACTERS.map(
    ([table, column, most]) => [table, `${column}_length`, `char_length(${column}) <= ${most}`] as const,
  ),
  ...BYTES.map(
    ([table, column, most, cast = '']) =>
      [table, `${column}_bytes`, `octet_length(${column}${cast}) <= ${most}`] as const,
  ),
  ...VALUES.map(([table, column, values]) => [table, `${column}_known`, `${column} IN (${values})`] as const),
  ['conversations', 'pr_number_length', 'cardinality(pr_number) <= 1000'],
];

/** Columns that may hold longer texts; they are cut, since a change of their rows would be refused otherwise. */
const CUT: readonly string[] = [
  ...[
    'organizations.name',
    'users.name',
    'api_keys.name',
    'invitations.mail_detail',
    'sandboxes.status_detail',
  ],
  ...['conversations.title', 'conversations.told_title', 'conversations.forwarded_title'],
  ...['conversations.llm_model', 'conversations.agent_kind', 'conversations.selected_repository'],
  ...['conversations.selected_branch', 'start_tasks.detail', 'message_queues.closed_reason'],
  ...['pending_messages.last_error', 'pending_messages.mark_event_id'],
];

/** Tags and requests that no limit kept small. */
const OVERSIZED = [
  `UPDATE conversations c
      SET tags = coalesce((SELECT jsonb_object_agg(key, value)
                             FROM (SELECT key, value FROM jsonb_each(c.tags)
                                    WHERE char_length(key) <= 100 AND octet_length(value::text) <= 1000
                                    ORDER BY key LIMIT 50) kept), '{}')
    WHERE octet_length(tags::text) > 131072`,
  'UPDATE conversations SET pr_number = pr_number[1:1000] WHERE cardinality(pr_number) > 1000',
  `UPDATE start_tasks SET request = '{}' WHERE octet_length(request::text) > 8388608`,
];

/**
 * Limits of every text that is stored. What is there already is cut, and not checked again: that would read every
 * row under a lock.
 */
export class TextLimits20261122020000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    for (const [table, column, most] of CHARACTERS)
      if (CUT.includes(`${table}.${column}`))
        await runner.query(
          `UPDATE ${table} SET ${column} = left(${column}, ${most}) WHERE char_length(${column}) > ${most}`,
        );
    for (const statement of OVERSIZED) await runner.query(statement);
    for (const [table, name, condition] of CHECKS)
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK (${condition}) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, name] of CHECKS) await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
}
