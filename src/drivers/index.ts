export { agentServerEnvironment, modelEnvironment } from './agent-server-environment';
export { checkAgentServerProgram } from './agent-server-program';
export { BuiltInDrivers } from './built-in-drivers';
export { DriversModule } from './drivers.module';
export { checkSandboxIsolation } from './isolation';
