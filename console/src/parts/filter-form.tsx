import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isOfFields } from '../api/api-error';
import { texts } from '../text';
import type { Address } from './address';
import { fillForm, type Values, valuesOf } from './form';
import { useChange } from './load';
import { Failure } from './states';

const words = texts.filterForm;

/**
 * The filters of a list, which are in the address: they are applied together, and cleared together.
 * @param props.shown what the fields have, by their names, which are those of the filters
 */
export function FilterForm<Name extends string>(props: {
  shown: Readonly<Record<Name, string | null | undefined>>;
  isFiltered: boolean;
  change: Address['change'];
  /** What the filters are by what was typed; an error is shown. */
  filtersOf: (value: Values) => Promise<Readonly<Record<Name, string | null>>>;
  /** The fields: with {@link Field} of why the filters were not applied. */
  children: (error: Error | undefined) => ComponentChildren;
}): JSX.Element {
  const { shown, change, filtersOf } = props;
  const looking = useChange();
  const form = useRef<HTMLFormElement>(null);
  // The form stays what it is, with the focus in it: what it shows is what the address says.
  useEffect(() => fillForm(form.current, shown), [JSON.stringify(shown)]);
  return (
    <search aria-label={words.filters}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const value = valuesOf(event.currentTarget);
          void looking.run(async () => change({ ...(await filtersOf(value)), page_id: null }));
        }}
      >
        {props.children(looking.error)}
        {looking.error !== undefined && !isOfFields(looking.error) && <Failure error={looking.error} />}
        <div class="buttons start">
          <button type="submit" class="secondary" aria-busy={looking.isBusy}>
            {words.filter}
          </button>
          {props.isFiltered && (
            <button
              type="button"
              class="secondary outline"
              onClick={() => {
                const names = [...Object.keys(shown), 'page_id'];
                change(Object.fromEntries(names.map((name) => [name, null])));
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
