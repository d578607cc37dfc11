import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import type { PageProps } from '../../app/pages';
import { Page } from '../../parts/page';
import { texts } from '../../text';
import { Calls } from './calls';
import { Summary } from './summary';

/** What was used: in sums, and call by call. */
export default function Usage({ rest }: PageProps): JSX.Element {
  const { can } = useOrganization();
  if (rest !== 'calls') return <Summary />;
  return can('view_budgets') ? <Calls /> : <Page title={texts.console.notAllowed}>{null}</Page>;
}
