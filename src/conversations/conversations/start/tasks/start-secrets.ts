import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SecretBox } from '../../../../kernel/common';
import type { SealedColumn } from '../../../../kernel/database';
import type { StartTask } from '../../start-tasks/start-task.entity';

const schema = z.record(z.string(), z.string());

/** Where the secrets are kept until the conversation runs. */
export const SEALED_START_SECRETS: SealedColumn = {
  table: 'start_tasks',
  column: 'sealed_secrets',
  contextOf,
};

/** The secrets of a start request, encrypted until the conversation runs. */
@Injectable()
export class StartSecrets {
  constructor(private readonly box: SecretBox) {}

  /** @returns null without any */
  seal(taskId: string, secrets: Readonly<Record<string, string>> | null | undefined): string | null {
    return secrets ? this.box.seal(JSON.stringify(secrets), contextOf(taskId)) : null;
  }

  open({ id, sealedSecrets }: StartTask): Readonly<Record<string, string>> {
    if (sealedSecrets === null) return {};
    return schema.parse(JSON.parse(this.box.open(sealedSecrets, contextOf(id))));
  }
}

function contextOf(taskId: string): string {
  return `start-task:${taskId}`;
}
