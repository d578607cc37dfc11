/**
 * The same mails without the service: rendered and sent in a loop, several at a time, and nothing is recorded.
 * Arguments are the port of the mail server and the number of mails; reports mails per second over IPC.
 */
import { readSettings } from '../../src/kernel/config';
import { invitationEmail } from '../../src/accounts/invitations/email/invitation-email';
import { Mailer } from '../../src/accounts/mail';

const [port = '', count = ''] = process.argv.slice(2);
const AT_ONCE = 16;

async function main(): Promise<void> {
  const mailer = new Mailer(
    readSettings({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'bench@example.com' }),
  );
  let left = Number(count);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const email = invitationEmail({
          orgName: 'An organization',
          role: 'member',
          inviterEmail: 'owner@example.com',
          inviterName: null,
          expiresAt: new Date(),
          link: `http://localhost:3000/api/organizations/members/invite/accept?token=inv-${left}`,
        });
        await mailer.send({ ...email, to: `person-${left}@example.com`, id: `bare-${left}` });
      }
    }),
  );
  process.send?.(Math.round((1000 * Number(count)) / (performance.now() - start)));
  mailer.onApplicationShutdown();
  process.disconnect();
}

void main();
