import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conversations and the tasks that start them. */
export class Conversations20261121000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversations (
        id uuid NOT NULL PRIMARY KEY,
        org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        created_by_user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        parent_conversation_id uuid,
        sandbox_id uuid,
        own_sandbox boolean NOT NULL DEFAULT false,
        start_state text NOT NULL
          CONSTRAINT conversations_start_state CHECK (start_state IN ('starting', 'ready', 'failed')),
        title text,
        llm_model text,
        agent_kind text NOT NULL DEFAULT 'openhands',
        execution_status text,
        selected_repository text,
        selected_branch text,
        git_provider text,
        trigger text,
        pr_number bigint[] NOT NULL DEFAULT '{}',
        pr_merged boolean,
        tags jsonb NOT NULL DEFAULT '{}',
        accumulated_cost double precision NOT NULL DEFAULT 0,
        prompt_tokens bigint NOT NULL DEFAULT 0,
        completion_tokens bigint NOT NULL DEFAULT 0,
        cache_read_tokens bigint NOT NULL DEFAULT 0,
        cache_write_tokens bigint NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        deleted_at timestamptz(3)
      );
      COMMENT ON COLUMN conversations.deleted_at IS 'deleted ones are kept so that late calls of an agent server do not bring them back';

      COMMENT ON COLUMN conversations.own_sandbox IS 'the sandbox was made for this conversation and goes with it';

      CREATE INDEX conversations_org_updated ON conversations (org_id, updated_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX conversations_user_created ON conversations (created_by_user_id, org_id, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX conversations_sandbox ON conversations (sandbox_id);
      CREATE INDEX conversations_parent ON conversations (parent_conversation_id)
        WHERE parent_conversation_id IS NOT NULL;

      CREATE TABLE start_tasks (
        id uuid NOT NULL PRIMARY KEY,
        org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        created_by_user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        sandbox_id uuid NOT NULL,
        status text NOT NULL,
        detail text,
        agent_server_url text,
        request jsonb NOT NULL,
        sealed_secrets text,
        deadline_at timestamptz(3) NOT NULL,
        fence bigint NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX start_tasks_conversation_id_key ON start_tasks (conversation_id);
      CREATE INDEX start_tasks_user_created ON start_tasks (created_by_user_id, created_at DESC, id DESC);
      CREATE INDEX start_tasks_open_sandbox ON start_tasks (sandbox_id) WHERE status NOT IN ('READY', 'ERROR');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE start_tasks, conversations');
  }
}
