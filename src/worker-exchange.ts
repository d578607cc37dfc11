import { isRecord } from './kernel/common';

/** What processes say of themselves, each one thing. */
export type Telling = readonly unknown[];

/** The other end of a channel between processes. */
interface Peer {
  send?(message: object, sent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Asks the process at the other end of a channel for what it has to tell, and answers when it asks. */
export class Exchange {
  private readonly waiting = new Map<number, (telling: Telling) => void>();
  private last = 0;

  /**
   * @param patienceMs how long an answer may take
   * @param tell answers the other end
   */
  constructor(
    private readonly peer: Peer,
    private readonly patienceMs: number,
    tell: () => Promise<Telling>,
  ) {
    peer.on('message', (message) => {
      if (!isRecord(message)) return;
      const { question, answer, telling } = message;
      if (typeof question === 'number')
        void tell()
          .catch(() => [])
          .then((told) => this.send({ answer: question, telling: told }));
      else if (typeof answer === 'number' && Array.isArray(telling)) this.waiting.get(answer)?.(telling);
    });
  }

  /** @returns nothing where the other end does not answer in time */
  ask(): Promise<Telling> {
    const question = ++this.last;
    return new Promise((resolve) => {
      const settle = (telling: Telling): void => {
        clearTimeout(timer);
        this.waiting.delete(question);
        resolve(telling);
      };
      const timer = setTimeout(() => settle([]), this.patienceMs);
      this.waiting.set(question, settle);
      this.send({ question });
    });
  }

  /** To a process that has ended nothing is sent, and it does not answer. */
  private send(message: object): void {
    this.peer.send?.(message, () => undefined);
  }
}
