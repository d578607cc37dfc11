const MEBIBYTE = 1024 * 1024;

/** What all answers that are being read hold in memory together. */
const TOTAL_BYTES = 128 * MEBIBYTE;

/** An answer that is being read. */
export interface AnswerInReading {
  /** The address of the agent server: what several answers of one hold counts together. */
  readonly server: string;
  /** What came of it so far. */
  readonly bytes: number;
  /** Ends the call that it is for. */
  giveUp(reason: string): void;
}

/**
 * Bounds what the answers of agent servers take of the process's memory, however many calls wait: agents have these
 * servers in their hands (docs/sandboxes.md#answers-of-agent-servers). Nobody waits for room, so that nothing can
 * keep others waiting: when there is none left, the largest answer of the server that takes most is given up.
 */
export class AnswerBudget {
  private readonly reading = new Set<AnswerInReading>();
  private held = 0;

  /** Counts what came of an answer. */
  add(answer: AnswerInReading, bytes: number): void {
    this.reading.add(answer);
    this.held += bytes;
    while (this.held > TOTAL_BYTES) this.largest().giveUp('too much to read at once');
  }

  /** An answer holds nothing any more. */
  remove(answer: AnswerInReading): void {
    if (this.reading.delete(answer)) this.held -= answer.bytes;
  }

  private largest(): AnswerInReading {
    const ofServers = new Map<string, number>();
    for (const { server, bytes } of this.reading) ofServers.set(server, (ofServers.get(server) ?? 0) + bytes);
    const weight = ({ server, bytes }: AnswerInReading): number => (ofServers.get(server) ?? 0) + bytes;
    return [...this.reading].reduce((most, each) => (weight(each) > weight(most) ? each : most));
  }
}
