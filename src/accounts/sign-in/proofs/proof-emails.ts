import { html } from '../../../kernel/common';
import { emailButton, emailHtml, plainName } from '../../mail';

/** The content of an email. */
export interface EmailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The email with which somebody signs in. */
export function signInEmail(code: string, link: string): EmailContent {
  const subject = `${code} is your code to sign in`;
  const warning =
    'If you are not signing in right now, somebody else entered your address: do not pass the code or the link on to anybody.';
  return {
    subject,
    text: `Your code to sign in:\n\n    ${code}\n\nEnter it on the sign-in page within 10 minutes, or open this link:\n${link}\n\n${warning}`,
    html: emailHtml({
      subject,
      preview: 'Enter it on the sign-in page within 10 minutes.',
      heading: html`Your code to sign in`,
      body: [
        html`<span style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:34px;letter-spacing:8px"
          >${code}</span
        >`,
        html`Enter it on the sign-in page within <strong>10 minutes</strong>, or use this link:`,
        emailButton(link, 'Sign in'),
      ],
      footer: warning,
    }),
  };
}

/** The email that tells somebody of a link with which an administrator lets them in. */
export function linkNotice(orgName: string, makerEmail: string): EmailContent {
  const org = plainName(orgName);
  const subject = `A link to sign in as you was made in ${org}`;
  const what = `${makerEmail} made a link that signs in as you, once, within an hour, in ${org} only.`;
  const warning = `If you did not ask for it, tell an owner of ${org}, and revoke the key "Sign-in link" among your keys: that ends the session.`;
  return {
    subject,
    text: [what, 'You get the link from them.', warning].join('\n\n'),
    html: emailHtml({
      ...{ subject, preview: what, heading: html`A link to sign in was made` },
      body: [html`${what}`, html`You get the link from them.`],
      footer: warning,
    }),
  };
}
