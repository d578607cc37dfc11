import { Erasures, toPreview } from '../../../accounts/persons';
import type { Installation } from '../../../app.module';
import { withApplication } from '../../../command-application';
import { CommandError } from '../command-error';
import { asCommand } from '../option-values';
import type { OperatorCommands } from '../operator-commands';

interface ErasedUser {
  readonly email: string;
  readonly isDryRun: boolean;
  readonly whenLifted: boolean;
}

/**
 * Erases a user everywhere, or says what that would do. The service does it, as soon as it runs.
 * @throws CommandError
 */
export async function eraseUser(
  installation: Installation,
  operator: OperatorCommands,
  { email, isDryRun, whenLifted }: ErasedUser,
): Promise<object> {
  const { id: userId, kind } = await operator.user(email);
  if (kind !== 'person') throw new CommandError(`${email} is no person.`);
  const aim = { userId, orgId: null };
  return withApplication(installation, (app) =>
    asCommand(async () => {
      const erasures = app.get(Erasures, { strict: false });
      if (isDryRun) return toPreview(await erasures.preview(aim));
      const { id, state } = await erasures.ask({
        ...aim,
        askedBy: 'operator',
        askedByUserId: null,
        whenLifted,
      });
      return { user_id: userId, erasure_id: id, state };
    }),
  );
}
