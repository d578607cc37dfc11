/**
 * Runs one command.
 * @param args name of the command and its options
 * @returns its result as one JSON text
 * @throws CommandError, StartError, SettingsError
 */
export declare function runCommand(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<string>;
