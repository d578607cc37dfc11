import { isRecord } from '../../../src/kernel/common';

/** Fields whose values are secrets, in requests and responses. */
const SECRET = /(?:^|_)(?:key|password|secret|token|value|code)$|^Authorization$/i;

/** Values of such fields that are none. */
const SHORTEST = 12;

/** The secrets that a test has sent, or was answered. */
export class SecretsSent {
  private readonly texts = new Set<string>();
  private count = 0;

  get all(): readonly string[] {
    return [...this.texts];
  }

  add(text: string): void {
    this.texts.add(text);
  }

  /** A body with secrets of its own in place of those of an example. */
  put(body: unknown, name = ''): unknown {
    if (Array.isArray(body)) return body.map((each) => this.put(each, name));
    if (isRecord(body))
      return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, this.put(value, key)]));
    if (typeof body !== 'string' || !SECRET.test(name) || body.length === 0) return body;
    const secret = `walk-secret-${++this.count}-of-${name}`;
    this.add(secret);
    return secret;
  }

  /** Notes the secrets of a response. */
  note(body: unknown, name = ''): void {
    if (Array.isArray(body)) for (const each of body) this.note(each, name);
    else if (isRecord(body)) for (const [key, value] of Object.entries(body)) this.note(value, key);
    else if (
      typeof body === 'string' &&
      SECRET.test(name) &&
      body.length >= SHORTEST &&
      !/^[a-z_]+$/.test(body)
    )
      this.add(body);
  }
}

/** Those of the secrets that a text has. */
export function hiddenIn(text: string, { all }: SecretsSent): string[] {
  return all.filter((secret) => text.includes(secret));
}
