import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Modal } from '../../parts/modal';
import { Empty, Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { texts } from '../../text';
import { preview, type Registration } from './operations';

type Found = Schemas['MarketplaceSkillsPreviewResponse'];

/** A dialog with what registrations would load. */
export function PreviewDialog(props: {
  title: string;
  registrations: readonly Registration[];
  onClose: () => void;
}): JSX.Element {
  return (
    <Modal title={props.title} onClose={props.onClose}>
      <Preview registrations={props.registrations} />
    </Modal>
  );
}

/** What registrations would load, read from their sources now, and what went wrong meanwhile. */
export function Preview({ registrations }: { registrations: readonly Registration[] }): JSX.Element {
  const organization = useOrganization();
  const found = useLoad(
    (signal) => preview(organization, registrations, signal),
    [organization.id, JSON.stringify(registrations)],
  );
  return (
    <>
      {found.isLoading && <p>{texts.marketplaces.reading}</p>}
      <Shown of={found}>{(data) => <Offered found={data} />}</Shown>
    </>
  );
}

function Offered({ found: { errors, plugins, skills } }: { found: Found }): JSX.Element {
  return (
    <>
      {errors.length > 0 && (
        <div class="failure" role="alert">
          <strong>{texts.marketplaces.problems}</strong>
          <ul>
            {errors.map((problem) => (
              <li key={problem} dir="auto">
                {problem}
              </li>
            ))}
          </ul>
        </div>
      )}
      {plugins.length + skills.length === 0 && <Empty>{texts.marketplaces.nothing}</Empty>}
      {plugins.length > 0 && (
        <DataTable
          caption={texts.marketplaces.plugins}
          rows={plugins}
          idOf={({ marketplace, name }) => `${marketplace}/${name}`}
          columns={[
            { key: 'name', name: texts.marketplaces.plugin, isHeader: true, show: ({ name }) => name },
            { key: 'of', name: texts.marketplaces.marketplace, show: ({ marketplace }) => marketplace },
            {
              key: 'description',
              name: texts.marketplaces.description,
              show: ({ description }) => description || '–',
            },
          ]}
        />
      )}
      {skills.length > 0 && (
        <DataTable
          caption={texts.marketplaces.skills}
          rows={skills}
          idOf={({ source, name }) => `${source}/${name}`}
          columns={[
            { key: 'name', name: texts.marketplaces.skill, isHeader: true, show: ({ name }) => name },
            { key: 'of', name: texts.marketplaces.from, show: ({ source }) => source },
            { key: 'type', name: texts.marketplaces.type, show: ({ type }) => type },
            {
              key: 'triggers',
              name: texts.marketplaces.triggers,
              show: ({ triggers }) => triggers.join(', ') || '–',
            },
          ]}
        />
      )}
    </>
  );
}
