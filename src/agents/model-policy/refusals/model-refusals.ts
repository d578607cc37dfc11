import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock, cutText, messageOf } from '../../../kernel/common';
import {
  addRefusals,
  deleteOldRefusals,
  OTHER_MODELS,
  type RefusalCount,
  selectRefusals,
} from './model-refusals.query';

/** Why a call to a model was refused. */
export const REFUSAL_CODES = ['model_not_allowed', 'model_price_unknown', 'budget_exhausted'] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

const WRITE_MS = 2_000;
const SHOWN_MS = 86_400_000;
const KEPT_MS = 2 * SHOWN_MS;
/** Of one organization; those of further models are counted together. */
const MOST_WAITING = 300;
const LONGEST_NAME = 255;

/** Counts what was refused, by hour, code and model. What a process has counted is written every two seconds, and when it ends. */
@Injectable()
export class ModelRefusals implements OnModuleDestroy {
  private readonly logger = new Logger(ModelRefusals.name);
  /** By organization, and there by code and model. */
  private waiting = new Map<string, Map<string, RefusalCount>>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Counts one. It returns at once, and writes later. */
  add(orgId: string, model: string, code: RefusalCode): void {
    this.put({
      orgId,
      model: cutText(model, LONGEST_NAME),
      code,
      count: 1,
      at: this.clock.now(),
    });
    this.timer ??= setTimeout(() => void this.write(), WRITE_MS).unref();
  }

  /** What was refused in an organization in the last day, the most frequent first. */
  async ofLastDay(
    orgId: string,
  ): Promise<{ since: Date; counts: Awaited<ReturnType<typeof selectRefusals>> }> {
    await this.write();
    const since = new Date(this.clock.now().getTime() - SHOWN_MS);
    return { since, counts: await selectRefusals(this.database.manager, orgId, since) };
  }

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }

  private put(refusal: RefusalCount): void {
    const ofOrg = this.waiting.get(refusal.orgId) ?? new Map<string, RefusalCount>();
    this.waiting.set(refusal.orgId, ofOrg);
    const key = `${refusal.code} ${refusal.model}`;
    const before = ofOrg.get(key);
    if (before === undefined && ofOrg.size >= MOST_WAITING && refusal.model !== OTHER_MODELS)
      this.put({ ...refusal, model: OTHER_MODELS });
    else ofOrg.set(key, { ...refusal, count: (before?.count ?? 0) + refusal.count });
  }

  /** Writes what waits, one after the other. */
  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    if (this.waiting.size === 0) return;
    const organizations = [...this.waiting.values()];
    this.waiting = new Map();
    const { manager } = this.database;
    // Each for itself: one may be gone.
    for (const ofOrg of organizations) await this.attempt(() => addRefusals(manager, [...ofOrg.values()]));
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.attempt(() => deleteOldRefusals(manager, before));
  }

  /** They are figures for people to look at, which are not worth more than a line. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`Refused calls to models were not counted: ${messageOf(error)}`);
    }
  }
}
