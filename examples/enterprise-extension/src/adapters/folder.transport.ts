import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type EmailMessage, Mailer, type MailOutcome, type MailTransport } from 'org-conversation-service';

/** Writes emails into `OUTBOX`, a folder that another program sends from. */
@Injectable()
export class FolderTransport implements MailTransport {
  private readonly folder = process.env.OUTBOX ?? 'outbox';

  constructor(mailer: Mailer) {
    mailer.use(this);
  }

  /** An email that is sent again has the same id, and so the same file. */
  async send(email: EmailMessage): Promise<MailOutcome> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, `${email.id}.json`), JSON.stringify(email));
    return { kind: 'sent' };
  }
}
