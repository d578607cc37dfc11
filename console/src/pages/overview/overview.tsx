import type { JSX } from 'preact';
import { Field } from '../../parts/field';
import { Page } from '../../parts/page';
import { MEASURES } from '../../parts/usage';
import { say, texts } from '../../text';
import { PERIODS, useView } from './period';
import { ByStatus, Now, Sandboxes, useOverview } from './states';
import { By, ByDay } from './usage';

/** What goes on in the organization, what it used, and what failed. */
export default function Overview(): JSX.Element {
  const { days, measure, change } = useView();
  const overview = useOverview();
  return (
    <Page title={texts.menu.overview}>
      <Now overview={overview} />
      <div class="filters">
        <Field label={texts.usage.period}>
          <select
            value={String(days)}
            onChange={({ currentTarget }) => change({ days: currentTarget.value })}
          >
            {PERIODS.map((known) => (
              <option key={known} value={String(known)}>
                {say(texts.usage.lastDays, { days: known })}
              </option>
            ))}
          </select>
        </Field>
        <Field label={texts.usage.compare}>
          <select value={measure} onChange={({ currentTarget }) => change({ by: currentTarget.value })}>
            {MEASURES.map((known) => (
              <option key={known} value={known}>
                {texts.usage.measures[known]}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <ByDay />
      <div class="halves">
        <By group="model" />
        <By group="user" />
        <By group="repository" />
        <By group="tag" />
        <Sandboxes overview={overview} />
        <ByStatus />
      </div>
    </Page>
  );
}
