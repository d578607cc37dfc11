/**
 * Makes what turns lines of the log into text for a person: time, level, and what happened; the fields and the stack of an
 * error below.
 * @param hasColours whether the terminal shows colours
 */
export declare function terminalLines(hasColours: boolean): (line: string) => string;
