/** A TCP socket of this host, as the kernel lists it; ends are written as `endOf` does. */
export interface TcpSocket {
    readonly local: string;
    readonly remote: string;
    readonly port: number;
    readonly isListening: boolean;
    readonly uid: number;
    /** 0 while no process has accepted the connection. */
    readonly inode: string;
}
/** All TCP sockets of this host, listeners first; none on systems without the list of Linux. */
export declare function tcpSockets(): Promise<TcpSocket[]>;
/**
 * Those of {@link tcpSockets} that may be the other end of a connection, and the listeners at its port: a host has
 * thousands, and reading all of them for each connection would take longer than the connection.
 */
export declare function otherEndsOf(nearPort: number, farPort: number): Promise<TcpSocket[]>;
/** One end of a connection: an address, in the one way that it is written, and a port. */
export declare function endOf(address: string, port: number): string;
