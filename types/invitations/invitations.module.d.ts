/** Invitations to organizations: created, emailed, accepted. */
export declare class InvitationsModule {
}
