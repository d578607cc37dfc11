import type { Settings } from '../../../kernel/config';
import { Mailer } from '../../../accounts/mail';
import { fail, type Finding, ok } from '../finding';

/** Connects to the mail server, greets it and logs in; sends nothing. */
export async function checkMail(settings: Settings): Promise<Finding> {
  const mailer = new Mailer(settings);
  try {
    if (!mailer.configured)
      return ok('mail', 'SMTP_URL is not set: links of invitations are passed on by hand.');
    const problem = await mailer.problem();
    return problem === null
      ? ok('mail', 'The mail server of SMTP_URL takes mail from this service.')
      : fail('mail', `The mail server of SMTP_URL cannot be used: ${problem}.`, changeFor(problem));
  } finally {
    mailer.onApplicationShutdown();
  }
}

function changeFor(problem: string): string {
  if (/auth|535|credentials|login/i.test(problem)) return 'Correct user and password in SMTP_URL.';
  if (/certificate|self.signed|STARTTLS|TLS|SSL|wrong version/i.test(problem))
    return 'Correct smtp:// or smtps:// in SMTP_URL, or name the authority of the certificate in NODE_EXTRA_CA_CERTS.';
  return 'Correct host and port in SMTP_URL, or start the mail server.';
}
