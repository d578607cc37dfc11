import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type EmailMessage, Mailer, type MailOutcome, type MailTransport } from 'org-conversation-service';
import type { HealthCheck } from 'org-conversation-service';
import { ACME_SETTINGS, type AcmeSettings } from '../settings';

/** Writes emails into `ACME_OUTBOX`, a folder that another program sends from. */
@Injectable()
export class FolderTransport implements MailTransport, HealthCheck {
  private readonly folder: string;

  constructor(mailer: Mailer, @Inject(ACME_SETTINGS) { ACME_OUTBOX }: AcmeSettings) {
    this.folder = ACME_OUTBOX;
    mailer.use(this);
  }

  /** An email that is sent again has the same id, and so the same file. */
  async send(email: EmailMessage): Promise<MailOutcome> {
    await this.check();
    await writeFile(join(this.folder, `${email.id}.json`), JSON.stringify(email));
    return { kind: 'sent' };
  }

  /** Whether there is a folder, or can be one. */
  async check(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }
}
