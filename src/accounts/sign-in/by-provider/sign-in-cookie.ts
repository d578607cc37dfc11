import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { begunSchema } from '../../identity-providers';
import { Clock, SecretBox } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';

/** How long somebody has to sign in at a provider. */
const LASTS_SECONDS = 600;
const CONTEXT = 'sign-in-at-provider';

const attemptSchema = z.object({
  ...begunSchema.shape,
  providerId: z.string(),
  returnTo: z.string(),
  again: z.boolean(),
  until: z.number(),
});

/** A sign-in at a provider that was begun in a browser. */
export type Attempt = z.infer<typeof attemptSchema>;

/**
 * The cookie that binds a sign-in at a provider to the browser that began it: whoever is sent an answer of a provider is not signed
 * in by it. It is sealed, so that nobody makes one up.
 */
@Injectable()
export class SignInCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const isSecure = publicUrl(settings).startsWith('https:');
    this.name = isSecure ? '__Host-ocs_sign_in' : 'ocs_sign_in';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** When what is begun now ends. */
  end(): Date {
    return new Date(this.clock.now().getTime() + LASTS_SECONDS * 1_000);
  }

  /** The value of `Set-Cookie` that has a browser keep an attempt, in place of an earlier one. */
  keep(attempt: Attempt): string {
    const sealed = this.box.seal(JSON.stringify(attempt), CONTEXT);
    return `${this.name}=${sealed}; Max-Age=${LASTS_SECONDS}; ${this.attributes}`;
  }

  /** The value of `Set-Cookie` that deletes it. */
  drop(): string {
    return `${this.name}=; Max-Age=0; ${this.attributes}`;
  }

  /** The attempt of a request's browser; null where it has begun none, or too long ago. */
  read(request: IncomingMessage): Attempt | null {
    const start = `${this.name}=`;
    const found = (request.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(start));
    const [only] = found;
    if (only === undefined || found.length > 1) return null;
    const attempt = attemptSchema.safeParse(this.opened(only.slice(start.length)));
    return attempt.success && attempt.data.until > this.clock.now().getTime() ? attempt.data : null;
  }

  private opened(sealed: string): unknown {
    try {
      return JSON.parse(this.box.open(sealed, CONTEXT));
    } catch {
      return null;
    }
  }
}
