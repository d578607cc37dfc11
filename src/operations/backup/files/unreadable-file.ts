import { messageOf } from '../../../kernel/common';

/** A file that is open and cannot be read. What the system says of it then does not have its path. */
export class UnreadableFile extends Error {
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
    this.name = new.target.name;
  }
}
