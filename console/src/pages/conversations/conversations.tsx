import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import type { PageProps } from '../../app/pages';
import { OrgList } from './org-list';
import { OwnList } from './own-list';
import { ConversationRecord } from './record';

/** The conversations that the person may see: those of the organization, or their own; and the record of each. */
export default function Conversations({ rest }: PageProps): JSX.Element {
  const organization = useOrganization();
  if (rest !== '') return <ConversationRecord key={rest} id={rest} />;
  return organization.can('view_org_conversations') ? <OrgList /> : <OwnList />;
}
