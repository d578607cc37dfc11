const BOLD = process.stdout.isTTY ? '\u001b[1m' : '';
const DIM = process.stdout.isTTY ? '\u001b[2m' : '';
const PLAIN = process.stdout.isTTY ? '\u001b[0m' : '';

/** Begins a part of the story. */
export function step(title: string): void {
  process.stdout.write(`\n${BOLD}${title}${PLAIN}\n`);
}

/** One line of a part. */
export function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** The command that a part stands for. */
export function follow(command: string): void {
  process.stdout.write(`  ${DIM}$ ${command}${PLAIN}\n`);
}
