// The beginning of our programs, each of which is one file. The program follows in two comments at
// the end of it: what every start needs, and the rest, which is compiled when something of it is first
// needed, with what V8 made of it the last time: that saves every thread most of its start. What is
// kept is only ever used for exactly this program, Node and kind of thread, and only whole. It is
// JavaScript of 2015, so that an old Node prints a sentence and no syntax error. It needs no extension,
// and runs too where a package.json around it makes it a module.
'use strict';

function launch({ id, main, what, oldest, lines }, parts) {
  if (isTooOld(oldest)) {
    process.stderr.write(
      `vaultdoor: This ${what} needs Node ${oldest.join('.')} or newer and was started with ${process.version}; install a newer one, or put it first on the PATH of this shell.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const file = typeof __filename === 'string' ? __filename : process.argv[1];
  const load =
    typeof require === 'function'
      ? require
      : process.getBuiltinModule('node:module').createRequire(file);
  const fs = load('node:fs');
  const path = load('node:path');
  const threads = load('node:worker_threads');

  const role = threads.isMainThread ? 'main' : roleOf(threads.workerData);
  const name = `${[id, process.version, process.platform, process.arch, role].join('-')}.bin`;
  const chunks = compile(0).runInThisContext();
  const loaded = new Map();
  let script;
  need(main);

  /** What a chunk of the program or a module exports. */
  function need(name) {
    if (!name.startsWith('./')) return load(name);
    if (!loaded.has(name)) {
      if (chunks[name] === undefined) compileRest();
      loaded.set(name, chunks[name](need, file));
    }
    return loaded.get(name);
  }

  function compileRest() {
    // Regular expressions in a vault's settings may be such that they take for ever: V8 then
    // switches to an engine whose time is linear, where the expression allows it. What is kept depends
    // on such settings, so this comes first.
    load('node:v8').setFlagsFromString(
      '--enable-experimental-regexp-engine-on-excessive-backtracks',
    );
    const beside = path.join(path.dirname(file), 'code-cache');
    const kept = read(path.join(beside, name)) || read(path.join(userFolder(), name));
    script = compile(1, kept);
    Object.assign(chunks, script.runInThisContext());
    const isUsed = kept !== undefined && !script.cachedDataRejected;
    if (!isUsed && process.env.VAULTDOOR_CODE_CACHE !== 'off') keepLater();
  }

  function compile(part, cachedData) {
    const comment = String(parts[part]).slice('()=>{/*'.length, -'*/}'.length);
    return new (load('node:vm').Script)(comment.split('*\x01/').join('*/'), {
      filename: file,
      lineOffset: lines[part],
      cachedData,
    });
  }

  function isTooOld([oldestMajor, oldestMinor]) {
    const [major, minor] = process.versions.node.split('.').map(Number);
    if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) return true;
    // Where SQLite is needed that Node has itself: the first of 23 have it behind a flag.
    return oldestMajor === 22 && major === 23 && minor < 4;
  }

  /** What a thread was started for, where it is one of ours. */
  function roleOf(data) {
    return (data !== null && typeof data === 'object' && data.role) || 'thread';
  }

  function userFolder() {
    const home = load('node:os').homedir();
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
    return load('node:crypto').createHash('sha256').update(bytes).digest();
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

launch(PROGRAM, [PARTS]);
