import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Dropdown } from '../../parts/dropdown';
import { Field } from '../../parts/field';
import { SearchText } from '../../parts/search-text';
import { say, texts } from '../../text';
import {
  type ChangeList,
  EXECUTION_STATUSES,
  isFiltered,
  type ListState,
  oneOf,
  PAGE_SIZES,
  SANDBOX_STATUSES,
  TIME_WINDOWS,
  UNFILTERED,
} from './list-state';

const words = texts.conversations;

/**
 * What is listed.
 * @param props.ofOrganization whether these are all of the organization, which can be filtered by more
 */
export function Filters(props: {
  state: ListState;
  change: ChangeList;
  ofOrganization: boolean;
}): JSX.Element {
  const { state, change, ofOrganization } = props;
  return (
    <search aria-label={words.filters}>
      <Field label={words.search} hint={ofOrganization ? words.searchHint : words.searchOwnHint}>
        <SearchText value={state.search} onSearch={(search) => change({ search }, true)} />
      </Field>
      <div class="filters">
        {ofOrganization && (
          <>
            <ExecutionStatus state={state} change={change} />
            <Field label={words.columns.sandbox_status}>
              <select
                value={state.sandbox_status ?? ''}
                onChange={({ currentTarget }) =>
                  change({ sandbox_status: oneOf(SANDBOX_STATUSES, currentTarget.value) ?? null })
                }
              >
                <option value="">{words.anyStatus}</option>
                {SANDBOX_STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {words.sandbox[status]}
                  </option>
                ))}
              </select>
            </Field>
          </>
        )}
        <Field label={words.timeWindow}>
          <select
            value={state.time_window}
            onChange={({ currentTarget }) =>
              change({ time_window: oneOf(TIME_WINDOWS, currentTarget.value) ?? 'all' })
            }
          >
            {TIME_WINDOWS.map((window) => (
              <option key={window} value={window}>
                {words.timeWindows[window]}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.perPage}>
          <select
            value={state.per_page}
            onChange={({ currentTarget }) =>
              change({ per_page: oneOf(PAGE_SIZES, Number(currentTarget.value)) ?? PAGE_SIZES[0] })
            }
          >
            {PAGE_SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </Field>
      </div>
      <Tags tags={state.tags} onTags={(tags) => change({ tags })} />
      <div class="filters">
        <label>
          <input
            type="checkbox"
            checked={state.include_sub_conversations}
            onChange={({ currentTarget }) => change({ include_sub_conversations: currentTarget.checked })}
          />
          {words.withSubs}
        </label>
        {isFiltered(state) && (
          <button type="button" class="secondary outline small" onClick={() => change(UNFILTERED)}>
            {words.clear}
          </button>
        )}
      </div>
    </search>
  );
}

function ExecutionStatus({ state, change }: { state: ListState; change: ChangeList }): JSX.Element {
  const chosen = state.execution_status;
  const names = chosen.map((status) => words.execution[status]).join(', ');
  return (
    <div class="field">
      <span class="label">{words.columns.execution_status}</span>
      <Dropdown
        name={
          <>
            <span class="visually-hidden">{words.columns.execution_status}: </span>
            {names === '' ? words.anyStatus : names}
          </>
        }
      >
        <ul>
          {EXECUTION_STATUSES.map((status) => (
            <li key={status}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.includes(status)}
                  onChange={({ currentTarget }) =>
                    change({
                      execution_status: EXECUTION_STATUSES.filter((one) =>
                        one === status ? currentTarget.checked : chosen.includes(one),
                      ),
                    })
                  }
                />
                {words.execution[status]}
              </label>
            </li>
          ))}
        </ul>
      </Dropdown>
    </div>
  );
}

function Tags(props: { tags: readonly string[]; onTags: (tags: readonly string[]) => void }): JSX.Element {
  const { tags, onTags } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        const field = input.current;
        if (field === null) return;
        onTags([...new Set([...tags, field.value])]);
        field.value = '';
      }}
    >
      <Field label={words.tag}>
        <input ref={input} required pattern="[^:]+:.*" title={words.tagHint} dir="auto" maxLength={1000} />
      </Field>
      <button type="submit" class="secondary outline">
        {words.addTag}
      </button>
      {tags.length > 0 && (
        <ul class="chips" aria-label={words.columns.tags}>
          {tags.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                class="secondary outline"
                aria-label={say(words.removeTag, { tag })}
                onClick={() => {
                  onTags(tags.filter((one) => one !== tag));
                  input.current?.focus();
                }}
              >
                <bdi>{tag}</bdi> <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
