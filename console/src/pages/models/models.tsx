import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { Page } from '../../parts/page';
import { texts } from '../../text';
import { Connections } from './connections';
import { ofOrganization, ofUser } from './operations';
import { Profiles } from './profiles';

/** Models that conversations run on, of the organization and of the person, and connections to their providers. */
export default function Models(): JSX.Element {
  const organization = useOrganization();
  return (
    <Page title={texts.menu.models}>
      <Profiles
        title={texts.models.ofOrganization}
        about={texts.models.ofOrganizationAbout}
        add={texts.models.newOfOrganization}
        operations={ofOrganization(organization)}
        mayChange={organization.can('edit_org_settings')}
      />
      <Profiles
        title={texts.models.own}
        about={texts.models.ownAbout}
        add={texts.models.newOwn}
        operations={ofUser(organization)}
        mayChange
      />
      <Connections />
    </Page>
  );
}
