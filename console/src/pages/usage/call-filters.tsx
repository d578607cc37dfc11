import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { isOfFields } from '../../api/api-error';
import type { Address } from '../../parts/address';
import { Field } from '../../parts/field';
import { fillForm, type Values, valuesOf } from '../../parts/form';
import { useChange } from '../../parts/load';
import { MemberInput, memberOf } from '../../parts/member-input';
import { Failure } from '../../parts/states';
import { texts } from '../../text';
import { type CallFilters, isFiltered, STATUSES, UNFILTERED } from './call-operations';

const words = texts.calls;

/** Which calls are listed. */
export function CallFilterForm(props: { filters: CallFilters; change: Address['change'] }): JSX.Element {
  const { filters, change } = props;
  const organization = useOrganization();
  const looking = useChange();
  const form = useRef<HTMLFormElement>(null);
  // The form stays what it is, with the focus in it: what it shows is what the address says.
  useEffect(() => fillForm(form.current, filters), [JSON.stringify(filters)]);
  const apply = async (value: Values): Promise<void> => {
    const user = value('user_id');
    change({
      user_id: user === '' ? null : await memberOf(organization, user, 'query.user_id'),
      model: value('model') || null,
      conversation_id: value('conversation_id') || null,
      status: value('status') || null,
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
        <div class="filters of-top">
          <Field label={words.model} hint={words.modelHint}>
            <input name="model" maxLength={255} autocomplete="off" />
          </Field>
          <Field label={words.user} hint={words.userHint} error={looking.error} field="query.user_id">
            <MemberInput name="user_id" defaultValue="" />
          </Field>
          <Field label={words.conversation} hint={words.conversationHint}>
            <input name="conversation_id" maxLength={36} autocomplete="off" />
          </Field>
          <Field label={words.status}>
            <select name="status">
              <option value="">{words.anyStatus}</option>
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {words.statuses[status]}
                </option>
              ))}
            </select>
          </Field>
        </div>
        {looking.error !== undefined && !isOfFields(looking.error) && <Failure error={looking.error} />}
        <div class="buttons start">
          <button type="submit" class="secondary" aria-busy={looking.isBusy}>
            {words.filter}
          </button>
          {isFiltered(filters) && (
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
