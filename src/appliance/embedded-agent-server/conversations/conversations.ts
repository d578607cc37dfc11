import { mkdirSync } from 'node:fs';
import { newId } from '../../../kernel/common';
import { agentFor } from './agent';
import { Conversation } from './conversation';
import { ConversationFiles, type ConversationRecord, type StartRequest } from './conversation-files';
import { conversationInfo } from './conversation-views';
import type { EmbeddedConfig } from '../config/embedded-config';
import { EventLog } from './event-log';
import type { SandboxFolder } from '../config/sandbox-folder';
import { WebhookFeed } from './webhook-feed';

/** All conversations of one embedded agent server, and their webhooks. */
export class Conversations {
  private readonly byId = new Map<string, Conversation>();
  private readonly feeds = new Map<string, WebhookFeed[]>();
  private readonly files: ConversationFiles;

  /** Reads what an earlier process of this server left. */
  constructor(
    private readonly config: EmbeddedConfig,
    private readonly sandbox: SandboxFolder,
  ) {
    this.files = new ConversationFiles(config.conversationsPath, config.secretKey);
    for (const record of this.files.load()) {
      const conversation = this.open(record);
      // Webhooks learn of it by the state they get first, not by an event.
      conversation.settleAfterRestart();
      this.follow(conversation);
    }
  }

  get(id: string): Conversation | undefined {
    return this.byId.get(id);
  }

  /** All of them, oldest first. */
  all(): Conversation[] {
    return [...this.byId.values()].sort((a, b) => (a.record.createdAt < b.record.createdAt ? -1 : 1));
  }

  /** @returns the conversation, and whether it is new: one that exists is not touched */
  start(request: StartRequest): { conversation: Conversation; created: boolean } {
    const id = request.conversation_id ?? newId();
    const existing = this.byId.get(id);
    if (existing) return { conversation: existing, created: false };
    const now = new Date().toISOString();
    const { initial_message: initialMessage, secrets = {}, tags = {}, ...rest } = request;
    // Only a later call takes plain texts; the start of the real server fails on them.
    if (Object.values(secrets).some((secret) => typeof secret === 'string')) {
      throw new Error("'str' object has no attribute 'pop'");
    }
    const record = { id, title: null, tags, createdAt: now, updatedAt: now, request: rest, secrets };
    mkdirSync(this.sandbox.resolve(request.workspace.working_dir), { recursive: true });
    this.files.save(record);
    const conversation = this.open(record);
    this.follow(conversation);
    this.sendInfo(conversation);
    // It always runs the agent, whatever its own `run` says.
    if (initialMessage) conversation.send(initialMessage, true);
    return { conversation, created: true };
  }

  /** Ends a conversation and removes it from the disk. @returns false when there is none */
  async delete(id: string): Promise<boolean> {
    const conversation = this.byId.get(id);
    if (!conversation) return false;
    this.byId.delete(id);
    await conversation.end();
    this.sendInfo(conversation);
    this.files.delete(id);
    const feeds = this.feeds.get(id) ?? [];
    this.feeds.delete(id);
    void Promise.all(feeds.map((feed) => feed.close()));
    return true;
  }

  /** Sends the present info of a conversation to the webhooks. */
  sendInfo(conversation: Conversation): void {
    const info = conversationInfo(conversation);
    for (const feed of this.feeds.get(conversation.record.id) ?? []) void feed.sendInfo(info);
  }

  /** Interrupts what runs and hands over what webhooks still have to get. */
  async close(): Promise<void> {
    await Promise.all([...this.byId.values()].map((conversation) => conversation.interrupt()));
    await Promise.all([...this.feeds.values()].flat().map((feed) => feed.close()));
  }

  private open(record: ConversationRecord): Conversation {
    const { agent, agent_settings: settings } = record.request;
    const conversation = new Conversation(record, {
      log: new EventLog(this.files.logPath(record.id)),
      agent: agentFor(
        agent?.llm ?? settings?.llm ?? null,
        this.config.llm,
        agent?.agent_context?.system_message_suffix ?? null,
      ),
      folder: this.files.folder(record.id),
      save: (changed) => this.files.save(changed),
    });
    this.byId.set(record.id, conversation);
    return conversation;
  }

  private follow(conversation: Conversation): void {
    const { id } = conversation.record;
    const apiKey = this.config.sessionApiKeys[0] ?? null;
    const feeds = this.config.webhooks.map((spec) => new WebhookFeed(spec, apiKey, id));
    this.feeds.set(id, feeds);
    for (const feed of feeds) conversation.subscribe((event) => feed.push(event));
  }
}
