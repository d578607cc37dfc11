import { AgentServerClient } from '../../../sandboxes/agent-server';
import { messageOf } from '../../../kernel/common';
import { SANDBOX_DRIVERS, type Settings } from '../../../kernel/config';
import { Metrics } from '../../../kernel/http';
import { SandboxDrivers } from '../../../sandboxes/sandboxes';
import { embeddedAgentServerCommand } from '../../../appliance/embedded-agent-server';
import { BuiltInDrivers, checkAgentServerProgram, checkSandboxIsolation } from '../../../drivers';
import { failure, type Finding, ok, warn } from '../finding';

/** Whether the driver of new sandboxes can run them: its program, engine, cluster or server. */
export async function checkSandboxes(settings: Settings): Promise<Finding[]> {
  if (settings.APP_ROLE === 'api')
    return [ok('sandboxes', 'Processes with APP_ROLE=api start none; run this where the workers are.')];
  if (!SANDBOX_DRIVERS.includes(settings.SANDBOX_DRIVER))
    return [
      warn(
        'sandboxes',
        `The driver ${settings.SANDBOX_DRIVER} is of an extension, and was not looked at.`,
        'Start the service to see whether it works.',
      ),
    ];
  const client = new AgentServerClient();
  const drivers = new SandboxDrivers(settings);
  new BuiltInDrivers(drivers, settings, client, new Metrics(), embeddedAgentServerCommand());
  try {
    checkSandboxIsolation(settings);
    checkAgentServerProgram(settings);
    const { current } = drivers;
    await current.open?.();
    const problems = (await current.problems?.()) ?? [];
    if (problems.length === 0)
      return [ok('sandboxes', `The driver ${current.name} can start sandboxes: ${current.description}`)];
    return problems.map(({ isFatal, says, change }) => ({
      check: 'sandboxes',
      state: isFatal ? 'fail' : 'warn',
      says,
      change,
    }));
  } catch (error) {
    return [failure('sandboxes', messageOf(error))];
  } finally {
    await drivers.onApplicationShutdown();
    await client.onApplicationShutdown();
  }
}
