import { MEBIBYTE } from '../../../../kernel/common';

/** The memory that all responses being read may take up together. */
export const TOTAL_BYTES = 128 * MEBIBYTE;

/** A response that is being read. */
export interface PartialResponse {
  /** The address of the agent server: responses of one server share a budget. */
  readonly server: string;
  /** Bytes received so far. */
  readonly bytes: number;
  /** Aborts its call. */
  giveUp(reason: string): void;
}

/**
 * Bounds what the responses of agent servers take of the process's memory, however many calls wait: agents have these
 * servers in their hands (docs/sandboxes.md#responses-of-agent-servers). Nobody waits for room, so that nothing can
 * keep others waiting: when there is none left, the largest response of the server that takes most is given up.
 */
export class ResponseBudget {
  private readonly reading = new Set<PartialResponse>();
  private held = 0;

  /** Bytes that responses take up now. */
  get bytes(): number {
    return this.held;
  }

  /** Counts received bytes of a response. */
  add(response: PartialResponse, bytes: number): void {
    this.reading.add(response);
    this.held += bytes;
    while (this.held > TOTAL_BYTES) this.largest().giveUp('too much to read at once');
  }

  /** Releases the bytes of a response. */
  remove(response: PartialResponse): void {
    if (this.reading.delete(response)) this.held -= response.bytes;
  }

  private largest(): PartialResponse {
    const ofServers = new Map<string, number>();
    for (const { server, bytes } of this.reading) ofServers.set(server, (ofServers.get(server) ?? 0) + bytes);
    const weight = ({ server, bytes }: PartialResponse): number => (ofServers.get(server) ?? 0) + bytes;
    return [...this.reading].reduce((most, each) => (weight(each) > weight(most) ? each : most));
  }
}
