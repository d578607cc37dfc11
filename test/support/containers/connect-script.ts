/** What {@link connectScript} prints when something listens there. */
export const REACHED = 'reached';

/** A program for `node -e` that connects to an address, and prints what came of it. */
export function connectScript(host: string, port: number | string): string {
  return `const s=require("net").connect(${port},"${host}",()=>{console.log("${REACHED}");process.exit()}).on("error",e=>{console.log(e.code);process.exit()});setTimeout(()=>{console.log("silence");process.exit()},3000)`;
}
