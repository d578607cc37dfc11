import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { Page } from '../../parts/page';
import { texts } from '../../text';
import { ofOrganization, ofUser } from './operations';
import { Registered } from './registered';

/** Marketplaces of plugins that conversations get, of the organization and of the person. */
export default function Marketplaces(): JSX.Element {
  const organization = useOrganization();
  return (
    <Page title={texts.menu.marketplaces}>
      <Registered
        title={texts.marketplaces.ofOrganization}
        about={texts.marketplaces.ofOrganizationAbout}
        add={texts.marketplaces.addToOrganization}
        previewAll={texts.marketplaces.previewOfOrganization}
        operations={ofOrganization(organization)}
        mayChange={organization.can('edit_org_settings')}
      />
      <Registered
        title={texts.marketplaces.own}
        about={texts.marketplaces.ownAbout}
        add={texts.marketplaces.addOwn}
        previewAll={texts.marketplaces.previewOfOwn}
        operations={ofUser(organization)}
        mayChange
      />
    </Page>
  );
}
