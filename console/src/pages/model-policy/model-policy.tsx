import type { JSX } from 'preact';
import { Page } from '../../parts/page';
import { texts } from '../../text';
import { Allowed } from './allowed';
import { Prices } from './prices';
import { Refusals } from './refusals';

/** Which models may be used, what was refused, and what models cost. */
export default function ModelPolicy(): JSX.Element {
  return (
    <Page title={texts.menu.modelPolicy}>
      <Allowed />
      <Refusals />
      <Prices />
    </Page>
  );
}
