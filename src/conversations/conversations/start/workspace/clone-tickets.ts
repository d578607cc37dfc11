import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock, type Person, SecretBox, uuidText } from '../../../../kernel/common';
import { type FencedStartTask, StartTaskRepository } from '../../start-tasks/start-task.repository';

/** How long fetching a repository may take. */
export const CLONE_SECONDS = 300;

const CONTEXT = 'clone-ticket';

const ticket = z.object({
  taskId: uuidText,
  fence: z.number(),
  url: z.string(),
  byLink: z.boolean(),
  until: z.number(),
});

/** The clone of one repository by one run of a start, and for whom it is. */
export interface TicketedClone extends Person {
  readonly taskId: string;
  /** Where the repository is fetched from. */
  readonly url: string;
}

/**
 * What a sandbox fetches one repository with, through the service and nothing else: it ends with the clone, with the run
 * of the start that made it, and in any case after a time. Nothing of it is stored, so any replica may be asked.
 */
@Injectable()
export class CloneTickets {
  constructor(
    private readonly box: SecretBox,
    private readonly tasks: StartTaskRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param url where the repository is
   * @param byLink what {@link Person} has
   */
  issue({ taskId, fence }: FencedStartTask, url: string, byLink: boolean): string {
    const until = this.clock.now().getTime() + CLONE_SECONDS * 1000;
    return this.box.seal(JSON.stringify({ taskId, fence, url, byLink, until }), CONTEXT);
  }

  /** @returns null for an unknown or expired ticket */
  async open(text: string): Promise<TicketedClone | null> {
    const read = this.read(text);
    if (read === null || this.clock.now().getTime() >= read.until) return null;
    const task = await this.tasks.preparing(read);
    if (task === null) return null;
    const { url, byLink } = read;
    return { taskId: task.id, url, orgId: task.orgId, userId: task.createdByUserId, byLink };
  }

  private read(text: string): z.infer<typeof ticket> | null {
    try {
      return ticket.parse(JSON.parse(this.box.open(text, CONTEXT)));
    } catch {
      return null;
    }
  }
}
