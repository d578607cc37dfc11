import type { JSX } from 'preact';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { type Values, valuesOf } from '../../parts/form';
import { useChange, useLoad } from '../../parts/load';
import { Buttons } from '../../parts/modal';
import { Page, Section } from '../../parts/page';
import { Facts } from '../../parts/show';
import { Failure, Shown } from '../../parts/states';
import { money, texts } from '../../text';
import { DeleteOrganization } from './delete-organization';

type Settings = Schemas['OrgAppSettings'];

/** Settings of the organization that belong to no other page. */
export default function AppSettings(): JSX.Element {
  const { can } = useOrganization();
  return (
    <Page title={texts.menu.settings}>
      {can('change_organization_name') && <Name />}
      {can('manage_application_settings') && <OfOrganization />}
      {can('delete_organization') && <DeleteOrganization />}
    </Page>
  );
}

/** The name of the organization. */
function Name(): JSX.Element {
  const { id, name, reload } = useOrganization();
  const save = async (value: Values): Promise<void> => {
    const params = { path: { org_id: id } };
    await bodyOf(api.PATCH('/api/organizations/{org_id}', { params, body: { name: value('name') } }));
    reload();
  };
  return (
    <Section title={texts.settings.organization}>
      <Form save={save} label={texts.settings.rename}>
        {(error) => (
          <Field label={texts.settings.name} error={error} field="body.name">
            <input name="name" required maxLength={200} dir="auto" autocomplete="off" defaultValue={name} />
          </Field>
        )}
      </Form>
    </Section>
  );
}

/** The app settings of the organization, without its marketplaces. */
function OfOrganization(): JSX.Element {
  const { id, header, can } = useOrganization();
  const settings = useLoad(
    (signal) => bodyOf(api.GET('/api/organizations/app', { params: { header }, signal })),
    [id],
  );
  const mayBudget = can('edit_org_settings');
  const save = async (value: Values): Promise<void> => {
    const budget = value('max_budget_per_task');
    const body = {
      enable_proactive_conversation_starters: value('starters') !== '',
      ...(mayBudget && { max_budget_per_task: budget === '' ? null : Number(budget) }),
      last_known_updated_at: settings.data?.updated_at ?? null,
    };
    try {
      await bodyOf(api.POST('/api/organizations/app', { params: { header }, body }));
    } finally {
      // Where somebody else was quicker, the next try is one upon what they have saved.
      settings.reload();
    }
  };
  return (
    <Section title={texts.settings.conversations}>
      <Shown of={settings}>
        {(data) => (
          <Form save={save} label={texts.settings.save}>
            {(error) => <Fields settings={data} mayBudget={mayBudget} error={error} />}
          </Form>
        )}
      </Shown>
    </Section>
  );
}

function Fields(props: { settings: Settings; mayBudget: boolean; error: Error | undefined }): JSX.Element {
  const { enable_proactive_conversation_starters: starters, max_budget_per_task: budget } = props.settings;
  return (
    <>
      <label>
        <input type="checkbox" role="switch" name="starters" defaultChecked={starters} />
        {texts.settings.starters}
      </label>
      {props.mayBudget ? (
        <Field
          label={texts.settings.budget}
          hint={texts.settings.budgetHint}
          error={props.error}
          field="body.max_budget_per_task"
        >
          <input
            name="max_budget_per_task"
            type="number"
            min={0}
            step="any"
            inputMode="decimal"
            defaultValue={budget ?? ''}
          />
        </Field>
      ) : (
        <Facts of={{ [texts.settings.budget]: budget === null ? texts.settings.noBudget : money(budget) }} />
      )}
    </>
  );
}

/** A form of the page: says whether it was saved, and why not. */
function Form(props: {
  save: (value: Values) => Promise<void>;
  label: string;
  children: (error: Error | undefined) => JSX.Element;
}): JSX.Element {
  const change = useChange();
  return (
    <form
      class="narrow"
      onSubmit={(event) => {
        event.preventDefault();
        const value = valuesOf(event.currentTarget);
        void change
          .run(() => props.save(value))
          .then((isDone) => {
            if (isDone) announce(texts.states.saved);
          });
      }}
    >
      {props.children(change.error)}
      {change.error !== undefined && <Failure error={change.error} />}
      <Buttons change={change} label={props.label} />
    </form>
  );
}
