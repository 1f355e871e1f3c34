// The beginning of `dist/vaultdoor.js`. The program follows in a comment at the end of the file; here
// it is compiled, with what V8 made of it the last time: that saves every thread most of its start.
// What is kept is only ever used for exactly this program, Node and kind of thread, and only whole.
// It is JavaScript of 2015, so that an old Node prints a sentence and no syntax error.
'use strict';

function launch(id) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    process.stderr.write(
      `vaultdoor: This program needs Node 20 or newer and was started with ${process.version}; install a newer one.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const fs = require('node:fs');
  const path = require('node:path');
  const threads = require('node:worker_threads');

  // Regular expressions in a vault's settings may be such that they take for ever: V8 then
  // switches to an engine whose time is linear, where the expression allows it. What is kept depends
  // on such settings, so this comes first.
  require('node:v8').setFlagsFromString(
    '--enable-experimental-regexp-engine-on-excessive-backtracks',
  );

  const role = threads.isMainThread ? 'main' : roleOf(threads.workerData);
  const name = `${[id, process.version, process.platform, process.arch, role].join('-')}.bin`;
  const beside = path.join(__dirname, 'code-cache');
  const kept = read(path.join(beside, name)) || read(path.join(userFolder(), name));

  const script = new (require('node:vm').Script)(programText(), {
    filename: __filename,
    lineOffset: PROGRAM_LINE,
    cachedData: kept,
  });
  script.runInThisContext()(require, __filename);
  if (kept === undefined && process.env.VAULTDOOR_CODE_CACHE !== 'off') keepLater();

  /** What a thread was started for, where it is one of ours. */
  function roleOf(data) {
    return (data !== null && typeof data === 'object' && data.role) || 'thread';
  }

  function programText() {
    const text = fs.readFileSync(__filename, 'latin1');
    const start = text.indexOf('\n/*program') + '\n/*program'.length;
    const program = text.slice(start, text.lastIndexOf('*/')).split('*\x01/').join('*/');
    return `(function (require, __filename) {${program}})`;
  }

  function userFolder() {
    const home = require('node:os').homedir();
    if (process.platform === 'win32') return path.join(home, '.vaultdoor', 'code');
    if (process.platform === 'darwin') return path.join(home, 'Library/Caches/vaultdoor/code');
    const cache = process.env.XDG_CACHE_HOME || '';
    return path.join(path.isAbsolute(cache) ? cache : path.join(home, '.cache'), 'vaultdoor/code');
  }

  /** What was kept, if it is whole: V8 itself does not look. */
  function read(file) {
    try {
      const bytes = fs.readFileSync(file);
      return bytes.subarray(0, 32).equals(digest(bytes.subarray(32)))
        ? bytes.subarray(32)
        : undefined;
    } catch (_) {
      return undefined;
    }
  }

  function digest(bytes) {
    return require('node:crypto').createHash('sha256').update(bytes).digest();
  }

  /** Keeps what was compiled once the program has done something, in a quiet moment or at its end. */
  function keepLater() {
    let isKept = false;
    const once = () => {
      if (isKept) return;
      isKept = true;
      try {
        keep(process.env.VAULTDOOR_CODE_CACHE || userFolder());
      } catch (_) {
        // It starts as it did this time, then.
      }
    };
    setTimeout(once, threads.isMainThread ? 5000 : 1000).unref();
    if (threads.isMainThread) process.on('exit', once);
  }

  function keep(folder) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    forgetOld(folder);
    const bytes = script.createCachedData();
    const temporary = path.join(folder, `${name}.${process.pid}-${threads.threadId}.tmp`);
    fs.writeFileSync(temporary, Buffer.concat([digest(bytes), bytes]), { mode: 0o600 });
    fs.renameSync(temporary, path.join(folder, name));
  }

  /** Other versions of the program and of Node leave theirs behind. */
  function forgetOld(folder) {
    const before = Date.now() - 30 * 24 * 60 * 60 * 1000;
    for (const each of fs.readdirSync(folder)) {
      const file = path.join(folder, each);
      if (/\.(bin|tmp)$/.test(each) && fs.statSync(file).mtimeMs < before) fs.unlinkSync(file);
    }
  }
}

launch('PROGRAM_ID');
