import type { Role } from '../../../kernel/auth';
import { html } from '../../../kernel/common';
import { emailButton, emailHtml, plainName } from '../../mail';

/** The content of an invitation email. */
interface InvitationEmailContent {
  readonly orgName: string;
  readonly role: Role;
  readonly inviterEmail: string;
  readonly inviterName: string | null;
  readonly expiresAt: Date;
  readonly link: string;
}

const DEADLINE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

/** Roles as a sentence names them. */
export const ROLE_WORDS: Record<Role, string> = {
  member: 'a member',
  admin: 'an administrator',
  owner: 'an owner',
};

/** A point in time as people read it: "Saturday, 28 November 2026 at 06:17 UTC". */
export function readableTime(time: Date): string {
  return `${DEADLINE.format(time)} UTC`;
}

/** Who invites, as people read it: name and address, or the address alone. */
export function inviterLine({
  inviterName,
  inviterEmail,
}: Pick<InvitationEmailContent, 'inviterName' | 'inviterEmail'>): string {
  const name = plainName(inviterName ?? '');
  return name === '' ? inviterEmail : `${name} (${inviterEmail})`;
}

/** Subject, text and HTML of an invitation. */
export function invitationEmail(content: InvitationEmailContent): {
  subject: string;
  text: string;
  html: string;
} {
  const org = plainName(content.orgName);
  const inviter = inviterLine(content);
  const role = ROLE_WORDS[content.role];
  const deadline = readableTime(content.expiresAt);
  const subject = `You are invited to join ${org}`;
  return {
    subject,
    text: [
      `${inviter} invites you to join ${org} as ${role}.`,
      `To see the invitation and accept it, open this link:\n${content.link}`,
      `The invitation can be accepted until ${deadline}. Opening the link does not accept it yet.`,
      'If you did not expect this invitation, you can ignore this mail: nothing happens without you.',
    ].join('\n\n'),
    html: emailHtml({
      subject,
      preview: `${inviter} invites you to join ${org}.`,
      heading: html`Join ${org}`,
      body: [
        html`<strong>${inviter}</strong> invites you to join <strong>${org}</strong> as ${role}.`,
        emailButton(content.link, 'View the invitation'),
        html`The invitation can be accepted until <strong>${deadline}</strong>. Opening the link does not
          accept it yet.`,
        html`<span style="color:#5b6472;font-size:14px"
          >The button does not work? Copy this address into your browser:<br /><a
            href="${content.link}"
            style="color:#1d4ed8;word-break:break-all"
            >${content.link}</a
          ></span
        >`,
      ],
      footer: `You get this mail because ${inviter} entered your address. If you did not expect it, you can ignore it: nothing happens without you.`,
    }),
  };
}
