import { HostLookup } from '../../src/kernel/common';

/** Answers what the test says, each time something else if need be. */
export class ScriptedLookup extends HostLookup {
  readonly asked: string[] = [];
  answers: readonly string[][] = [];

  ofUntrusted(host: string): Promise<readonly string[]> {
    this.asked.push(host);
    return Promise.resolve(this.answers[Math.min(this.asked.length, this.answers.length) - 1] ?? []);
  }

  ofAllowed(): Promise<readonly string[]> {
    return Promise.resolve(['127.0.0.1']);
  }
}
