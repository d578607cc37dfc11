const BOLD = process.stdout.isTTY ? '\u001b[1m' : '';
const DIM = process.stdout.isTTY ? '\u001b[2m' : '';
const PLAIN = process.stdout.isTTY ? '\u001b[0m' : '';

/** Prints the heading of a step. */
export function step(title: string): void {
  process.stdout.write(`\n${BOLD}${title}${PLAIN}\n`);
}

/** Prints one line of a step. */
export function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** Prints the command of a step. */
export function showCommand(command: string): void {
  process.stdout.write(`  ${DIM}$ ${command}${PLAIN}\n`);
}
