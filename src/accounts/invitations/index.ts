export { Invitations } from './invite/invitations';
export { InvitationsModule } from './invitations.module';
export { countOpenLinks, type OpenLinks } from './record/open-links.query';
export type { BatchInvitationResponse } from './record/invite.dto';
