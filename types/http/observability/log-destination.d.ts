import { type DestinationStream } from 'pino';
/**
 * Where the log goes: standard output, as JSON lines, or as text for a person. The lines of one turn of the event loop are written by one call of the system,
 * which costs a short request more than all that the line says; at an exit what is left is written.
 */
export declare class LogDestination implements DestinationStream {
    private readonly format;
    private readonly output;
    private lines;
    /** @param format makes a line of text of a line of JSON; left out, the lines stay JSON */
    constructor(format?: (line: string) => string);
    /** Text on a terminal, for which a library is loaded; JSON lines elsewhere. */
    static forStandardOutput(): Promise<LogDestination>;
    write(line: string): void;
    /** Writes what waits, for what is written past the log to come after it. */
    readonly flush: () => void;
}
