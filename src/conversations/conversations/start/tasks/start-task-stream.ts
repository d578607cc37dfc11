import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { inOneLine } from '../../../../kernel/common';
import type { AppConversationStartTask } from './start-task.dto';
import { StartTasksService } from './start-tasks.service';

/**
 * Answers the states of a start task as one JSON array, written as it happens (docs/contract.md#start-tasks).
 */
@Injectable()
export class StartTaskStream {
  constructor(private readonly tasks: StartTasksService) {}

  /**
   * Ends when the task does or the client disconnects; the start itself goes on either way.
   * @param begun the task as it began
   */
  async write(begun: AppConversationStartTask, response: Response): Promise<void> {
    const clientAbort = new AbortController();
    response.once('close', () => clientAbort.abort());
    response.status(200).type('application/json');
    let separator = '[';
    for await (const task of this.tasks.follow(begun, clientAbort.signal)) {
      response.write(separator + inOneLine(JSON.stringify(task)));
      separator = ',';
    }
    response.end(']');
  }
}
