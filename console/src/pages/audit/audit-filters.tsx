import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import type { Address } from '../../parts/address';
import { Field } from '../../parts/field';
import { FilterForm } from '../../parts/filter-form';
import { MemberInput, memberOf } from '../../parts/member-input';
import { localTime, texts } from '../../text';
import { type AuditFilters, OUTCOMES, queryOf } from './filters';

const words = texts.audit;

/**
 * Which rows are shown.
 * @param props.actor what the user is called whose rows are shown, if that is known
 * @param props.actions what is offered
 */
export function AuditFilterForm(props: {
  filters: AuditFilters;
  change: Address['change'];
  actor: string | undefined;
  actions: readonly string[];
}): JSX.Element {
  const { filters, change } = props;
  const organization = useOrganization();
  const offered = useId();
  return (
    <FilterForm
      shown={shownOf(filters)}
      isFiltered={queryOf(filters) !== ''}
      change={change}
      filtersOf={async (value) => {
        const actor = value('actor');
        return {
          since: timeOf(value('since')),
          until: timeOf(value('until')),
          actor: actor === '' ? null : await memberOf(organization, actor, 'query.actor'),
          action: value('action') || null,
          target: value('target') || null,
          outcome: value('outcome') || null,
        };
      }}
    >
      {(error) => (
        <>
          <div class="filters">
            <Field label={words.since}>
              <input name="since" type="datetime-local" />
            </Field>
            <Field label={words.until}>
              <input name="until" type="datetime-local" />
            </Field>
            <Field label={words.outcome}>
              <select name="outcome">
                <option value="">{words.anyOutcome}</option>
                {OUTCOMES.map((outcome) => (
                  <option key={outcome} value={outcome}>
                    {words.outcomes[outcome]}
                  </option>
                ))}
              </select>
            </Field>
          </div>
          <div class="filters of-top">
            <Field
              label={words.actor}
              hint={props.actor === undefined ? words.actorHint : <bdi>{props.actor}</bdi>}
              error={error}
              field="query.actor"
            >
              <MemberInput name="actor" defaultValue="" />
            </Field>
            <Field label={words.action} hint={words.actionHint}>
              <input name="action" list={offered} maxLength={255} autocomplete="off" />
            </Field>
            <Field label={words.target} hint={words.targetHint}>
              <input name="target" maxLength={255} autocomplete="off" />
            </Field>
          </div>
          <datalist id={offered}>
            {props.actions.map((action) => (
              <option key={action} value={action} />
            ))}
          </datalist>
        </>
      )}
    </FilterForm>
  );
}

/** A time of the reader's zone as the operation has it. */
function timeOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}

/** What each field of the form has; a time that is none is left out. */
function shownOf(filters: AuditFilters): Readonly<Record<keyof AuditFilters, string>> {
  const local = (iso: string | null | undefined): string => {
    const at = Date.parse(iso ?? '');
    return Number.isNaN(at) ? '' : localTime(at);
  };
  return {
    since: local(filters.since),
    until: local(filters.until),
    actor: filters.actor ?? '',
    action: filters.action ?? '',
    target: filters.target ?? '',
    outcome: filters.outcome ?? '',
  };
}
