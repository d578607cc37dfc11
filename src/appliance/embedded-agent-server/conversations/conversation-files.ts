import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hexOf, regularBytes, SecretBox, parseUuid } from '../../../kernel/common';
import { llmSchema } from './agent';
import { sendMessageSchema } from './events';

const uuid = z.string().transform((text, context) => {
  const id = parseUuid(text);
  if (id !== null) return id;
  context.addIssue({ code: 'custom', message: 'Input should be a valid UUID' });
  return z.NEVER;
});

const agentSchema = z.looseObject({
  llm: llmSchema,
  tools: z.array(z.unknown()).default([]),
  agent_context: z.looseObject({ system_message_suffix: z.string().nullish() }).nullish(),
});

export const tagsSchema = z.record(z.string().regex(/^[a-z0-9]+$/), z.string().max(256));

/** `POST /api/conversations`, as far as it means something here; other fields are ignored. */
export const startRequestSchema = z.object({
  workspace: z.looseObject({ working_dir: z.string() }),
  conversation_id: uuid.nullish(),
  parent_conversation_id: uuid.nullish(),
  agent: agentSchema.nullish(),
  agent_settings: z.looseObject({ llm: llmSchema.optional() }).nullish(),
  agent_profile_id: uuid.nullish(),
  initial_message: sendMessageSchema.nullish(),
  max_iterations: z.number().int().positive().optional(),
  stuck_detection: z.boolean().optional(),
  confirmation_policy: z.unknown().optional(),
  secrets: z.record(z.string(), z.unknown()).optional(),
  tags: tagsSchema.optional(),
  autotitle: z.boolean().optional(),
});
export type StartRequest = z.infer<typeof startRequestSchema>;

/** The stored state of a conversation in addition to its log. */
const recordSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  request: startRequestSchema,
  secrets: z.record(z.string(), z.unknown()),
});
export type ConversationRecord = z.infer<typeof recordSchema>;

/** The request and the secrets are sealed together: model keys are in one, tokens in the other. */
const fileSchema = recordSchema.omit({ request: true, secrets: true }).extend({
  workspace: startRequestSchema.shape.workspace,
  sealed: z.string().nullable(),
});

const sealedSchema = recordSchema.pick({ request: true, secrets: true });

/** The folder of conversations: one folder each, named by the 32 digits of its id. */
export class ConversationFiles {
  private readonly box: SecretBox | null;

  /**
   * @param root null keeps nothing on disk
   * @param secretKey null keeps what is secret off the disk: it is lost with the process
   */
  constructor(
    private readonly root: string | null,
    secretKey: string | null,
  ) {
    this.box = secretKey === null ? null : new SecretBox([secretKey]);
  }

  /** The records of all conversations on disk. */
  load(): ConversationRecord[] {
    const { root } = this;
    if (root === null || !existsSync(root)) return [];
    return readdirSync(root)
      .map((name) => join(root, name, 'meta.json'))
      .filter((path) => existsSync(path))
      .map((path) => this.read(path));
  }

  /** Writes a record; an earlier one stays intact when the process dies meanwhile. */
  save(record: ConversationRecord): void {
    const folder = this.folder(record.id);
    if (folder === null) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { request, secrets, ...open } = record;
    const sealed = this.box?.seal(JSON.stringify({ request, secrets }), `conversation:${record.id}`) ?? null;
    const text = JSON.stringify({ ...open, workspace: request.workspace, sealed });
    const path = join(folder, 'meta.json');
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  delete(id: string): void {
    const folder = this.folder(id);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }

  /** The file of a conversation's log. */
  logPath(id: string): string | null {
    const folder = this.folder(id);
    return folder === null ? null : join(folder, 'events.jsonl');
  }

  /** The folder of a conversation, as its info names it. */
  folder(id: string): string | null {
    return this.root === null ? null : join(this.root, hexOf(id));
  }

  private read(path: string): ConversationRecord {
    const { workspace, sealed, ...open } = fileSchema.parse(JSON.parse(regularBytes(path).toString()));
    if (sealed === null || this.box === null) return { ...open, request: { workspace }, secrets: {} };
    const plain: unknown = JSON.parse(this.box.open(sealed, `conversation:${open.id}`));
    return { ...open, ...sealedSchema.parse(plain) };
  }
}
