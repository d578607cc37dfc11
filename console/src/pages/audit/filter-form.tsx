import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import type { Address } from '../../parts/address';
import { Field } from '../../parts/field';
import { fillForm, type Values, valuesOf } from '../../parts/form';
import { useChange } from '../../parts/load';
import { MemberInput, memberOf } from '../../parts/member-input';
import { Failure } from '../../parts/states';
import { isOfFields } from '../../api/api-error';
import { localTime, texts } from '../../text';
import { type AuditFilters, OUTCOMES, queryOf, UNFILTERED } from './filters';

const words = texts.audit;

/**
 * Which rows are shown.
 * @param props.actor what the user is called whose rows are shown, if that is known
 * @param props.actions what is offered
 */
export function FilterForm(props: {
  filters: AuditFilters;
  change: Address['change'];
  actor: string | undefined;
  actions: readonly string[];
}): JSX.Element {
  const { filters, change } = props;
  const organization = useOrganization();
  const looking = useChange();
  const offered = useId();
  const form = useRef<HTMLFormElement>(null);
  // The form stays what it is, with the focus in it: what it shows is what the address says.
  useEffect(() => fillForm(form.current, shownOf(filters)), [queryOf(filters)]);
  const apply = async (value: Values): Promise<void> => {
    const actor = value('actor');
    const id = actor === '' ? null : await memberOf(organization, actor, 'query.actor');
    change({
      since: timeOf(value('since')),
      until: timeOf(value('until')),
      actor: id,
      action: value('action') || null,
      target: value('target') || null,
      outcome: value('outcome') || null,
      page_id: null,
    });
  };
  return (
    <search aria-label={words.filters}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const value = valuesOf(event.currentTarget);
          void looking.run(() => apply(value));
        }}
      >
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
            error={looking.error}
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
        {looking.error !== undefined && !isOfFields(looking.error) && <Failure error={looking.error} />}
        <div class="buttons start">
          <button type="submit" class="secondary" aria-busy={looking.isBusy}>
            {words.filter}
          </button>
          {queryOf(filters) !== '' && (
            <button
              type="button"
              class="secondary outline"
              onClick={() => {
                change({ ...UNFILTERED, page_id: null });
                form.current?.querySelector('input')?.focus();
              }}
            >
              {words.clear}
            </button>
          )}
        </div>
      </form>
    </search>
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
