import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { valuesOf } from '../../parts/form';
import { MEASURES } from '../../parts/usage';
import { say, texts } from '../../text';
import { type Period, PERIODS, type View } from './view';

const words = texts.usage;

/** Whose usage is shown, of which days, and by what. */
export function Filters({ view }: { view: View }): JSX.Element {
  const { can } = useOrganization();
  const { whose, groups, change } = view;
  return (
    <search aria-label={words.shown}>
      <div class="filters">
        {can('view_org_conversations') && (
          <Choice
            label={words.whose}
            chosen={whose}
            from={['organization', 'own'] as const}
            nameOf={(of) => words.of[of]}
            onChoose={(of) => change({ of: of === 'own' ? of : null })}
          />
        )}
        <Choice
          label={words.period}
          chosen={view.period}
          from={PERIODS}
          nameOf={periodName}
          onChoose={(period) => {
            const { from, to } = view;
            change({ period, ...(period === 'days' ? { from, to } : { from: null, to: null }) });
          }}
        />
        <Choice
          label={words.toldApart}
          chosen={view.group}
          from={groups}
          nameOf={(group) => words.groups[group]}
          onChoose={(by) => change({ by })}
        />
        <Choice
          label={words.compare}
          chosen={view.measure}
          from={MEASURES}
          nameOf={(measure) => words.measures[measure]}
          onChoose={(measure) => change({ measure })}
        />
      </div>
      {view.period === 'days' && <OtherDays view={view} />}
    </search>
  );
}

function periodName(period: Period): string {
  if (period === 'month' || period === 'last-month' || period === 'days') return words.periods[period];
  return say(words.lastDays, { days: Number(period) });
}

/** Any days. */
function OtherDays({ view: { from, to, change } }: { view: View }): JSX.Element {
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        const value = valuesOf(event.currentTarget);
        change({ from: value('from'), to: value('to') });
      }}
    >
      <Field label={words.from}>
        <input name="from" type="date" required key={from} defaultValue={from} />
      </Field>
      <Field label={words.to}>
        <input name="to" type="date" required key={to} defaultValue={to} />
      </Field>
      <button type="submit" class="secondary">
        {words.show}
      </button>
    </form>
  );
}

function Choice<T extends string>(props: {
  label: string;
  chosen: T;
  from: readonly T[];
  nameOf: (one: T) => string;
  onChoose: (one: T) => void;
}): JSX.Element {
  const { from, nameOf, onChoose } = props;
  return (
    <Field label={props.label}>
      <select
        value={props.chosen}
        onChange={({ currentTarget }) => {
          const chosen = from.find((one) => one === currentTarget.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {from.map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </Field>
  );
}
