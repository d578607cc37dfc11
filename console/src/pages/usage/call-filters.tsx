import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import type { Address } from '../../parts/address';
import { Field } from '../../parts/field';
import { FilterForm } from '../../parts/filter-form';
import { MemberInput, memberOf } from '../../parts/member-input';
import { texts } from '../../text';
import { type CallFilters, isFiltered, STATUSES } from './call-operations';

const words = texts.calls;

/** Which calls are listed. */
export function CallFilterForm(props: { filters: CallFilters; change: Address['change'] }): JSX.Element {
  const { filters, change } = props;
  const organization = useOrganization();
  return (
    <FilterForm
      shown={filters}
      isFiltered={isFiltered(filters)}
      change={change}
      filtersOf={async (value) => {
        const user = value('user_id');
        return {
          user_id: user === '' ? null : await memberOf(organization, user, 'query.user_id'),
          model: value('model') || null,
          conversation_id: value('conversation_id') || null,
          status: value('status') || null,
        };
      }}
    >
      {(error) => (
        <div class="filters of-top">
          <Field label={words.model} hint={words.modelHint}>
            <input name="model" maxLength={255} autocomplete="off" />
          </Field>
          <Field label={words.user} hint={words.userHint} error={error} field="query.user_id">
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
      )}
    </FilterForm>
  );
}
