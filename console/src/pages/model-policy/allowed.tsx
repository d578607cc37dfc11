import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { Facts, TextList, When } from '../../parts/show';
import { Shown } from '../../parts/states';
import { number, texts } from '../../text';
import { ChangePolicy } from './change-policy';
import { type Policy, policyOf } from './operations';
import { ROLES } from './roles';

const words = texts.modelPolicy;

/** Which models may be used, and, for who may, how to change it. */
export function Allowed(): JSX.Element {
  const organization = useOrganization();
  const [isChanging, setChanging] = useState(false);
  const policy = useLoad((signal) => policyOf(organization, signal), [organization.id]);
  return (
    <Section
      title={words.allowed}
      actions={
        organization.can('edit_org_settings') &&
        policy.data !== undefined && (
          <button type="button" class="secondary" onClick={() => setChanging(true)}>
            {words.change}
          </button>
        )
      }
    >
      <p>{words.about}</p>
      <Shown of={policy}>{(of) => <Applied of={of} />}</Shown>
      {isChanging && policy.data !== undefined && (
        <ChangePolicy policy={policy.data} onChanged={policy.reload} onClose={() => setChanging(false)} />
      )}
    </Section>
  );
}

function Applied({ of }: { of: Policy }): JSX.Element {
  const { allowed_models: own, allowed_by_role: byRole, installation, max_output_tokens: most } = of;
  const roles = ROLES.map((role): [string, ComponentChildren] => {
    const patterns = byRole[role] ?? null;
    return [words.ofRole[role], patterns === null ? words.allOfThem : <Patterns of={patterns} />];
  });
  return (
    <Facts
      of={{
        [words.ofOrganization]:
          own === null ? (
            <>
              {words.asInstallation} <Installation patterns={installation.allowed_models} />
            </>
          ) : (
            <Patterns of={own} />
          ),
        ...Object.fromEntries(roles),
        [words.largestOutput]: most === null ? words.asModel : number(most),
        [words.setAt]: of.updated_at === null ? words.neverSet : <When at={of.updated_at} />,
      }}
    />
  );
}

function Installation({ patterns }: { patterns: readonly string[] | null }): JSX.Element {
  return patterns === null ? <>{words.everyModel}</> : <TextList of={patterns} />;
}

/** Patterns, of which none allows nothing. */
function Patterns({ of }: { of: readonly string[] }): JSX.Element {
  return of.length === 0 ? <mark>{words.noModel}</mark> : <TextList of={[...new Set(of)]} />;
}
