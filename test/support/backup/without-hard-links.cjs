/** Required before a command: its disk has no hard links, as FAT and shares of Windows. */
const fs = require('node:fs/promises');

fs.link = (from, to) =>
  Promise.reject(
    Object.assign(new Error(`EPERM: operation not permitted, link '${from}' -> '${to}'`), {
      code: 'EPERM',
      syscall: 'link',
    }),
  );
