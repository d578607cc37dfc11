import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { browserOf } from '../../parts/browser';
import { Modal } from '../../parts/modal';
import { At, Copyable, Facts } from '../../parts/show';
import { DataTable } from '../../parts/table';
import { say, texts } from '../../text';
import { Actor, type Entry, Outcome, Target } from './entry';
import { queryOf } from './filters';

const words = texts.audit;

/** All that is known of one row. */
export function Details({ of, onClose }: { of: Entry; onClose: () => void }): JSX.Element {
  const { actor, action, target, personal, request_id } = of;
  return (
    <Modal title={say(words.title, { position: String(of.position) })} onClose={onClose}>
      <Facts
        of={{
          [words.at]: <At at={of.at} />,
          [words.action]: <code>{action}</code>,
          [words.actor]: <Actor of={of} />,
          [words.user]: actor.user_id && <code>{actor.user_id}</code>,
          [words.session]: actor.session ? words.bySession : null,
          [words.key]: actor.key_prefix && <code>{actor.key_prefix}</code>,
          [words.what]: target && <Target of={of} />,
          [words.outcome]: <Outcome of={of} />,
          [words.status]: of.status,
          ...(personal === null
            ? { [words.addressOf]: of.personal_digest === null ? null : words.erasedOrigin }
            : {
                [words.addressOf]: personal.address,
                [words.agent]: personal.user_agent && (
                  <span title={personal.user_agent}>{browserOf(personal.user_agent)}</span>
                ),
              }),
          [words.requestId]: request_id && <Copyable name={words.requestId} value={request_id} />,
          [words.hash]: <Copyable name={words.hash} value={of.hash} />,
        }}
      />
      <Similar of={of} onClose={onClose} />
      <Changes of={of} />
    </Modal>
  );
}

/** Addresses of the log with what is like this row. */
function Similar({ of, onClose }: { of: Entry; onClose: () => void }): JSX.Element {
  const { path } = useOrganization();
  const { actor, action, target } = of;
  const links = [
    ...(actor.user_id === null ? [] : [[words.sameActor, { actor: actor.user_id }] as const]),
    [words.sameAction, { action }] as const,
    ...(target === null ? [] : [[words.sameTarget, { target: target.id }] as const]),
  ];
  return (
    <ul>
      {links.map(([name, filter]) => (
        <li key={name}>
          <a href={`${path('audit')}?${queryOf(filter)}`} onClick={onClose}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Changes({ of: { changes } }: { of: Entry }): JSX.Element {
  return (
    <>
      <h3>{words.changes}</h3>
      {changes === null || changes.length === 0 ? (
        <p>{words.noChanges}</p>
      ) : (
        changes.map((change, place) => <Change key={place} of={change} />)
      )}
    </>
  );
}

/** What of one thing was changed, before and after side by side. */
function Change({ of }: { of: NonNullable<Entry['changes']>[number] }): JSX.Element {
  const { table, id, before, after } = of;
  const name = say(words.changeOf, { table, id });
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <>
      <h4 dir="auto">{name}</h4>
      <DataTable
        caption={name}
        rows={fields}
        idOf={(field) => field}
        columns={[
          { key: 'field', name: words.field, isHeader: true, show: (field) => field },
          { key: 'before', name: words.before, show: (field) => <Value of={before?.[field]} /> },
          { key: 'after', name: words.after, show: (field) => <Value of={after?.[field]} /> },
        ]}
      />
    </>
  );
}

/** A value as it was recorded; texts without their quotes. */
function Value({ of }: { of: unknown }): JSX.Element {
  if (of === undefined) return <>–</>;
  return <span class="value">{typeof of === 'string' ? of : JSON.stringify(of, null, 2)}</span>;
}
