// The launcher: the beginning of each of our programs, which are single files. The program itself
// follows at the end of the file, as text in two comments. The first comment has what every start
// needs. The second has the rest; it is compiled when one of its chunks is first needed, with the
// help of V8's code cache from an earlier run, which saves every thread most of its start time. A
// code cache is used only if it is undamaged and was made by exactly this program, this Node and
// this kind of thread. The launcher is written in JavaScript of 2015, so that an old Node prints a
// sentence and not a syntax error. The file needs no extension in its name, and also runs below a
// package.json with "type": "module".
'use strict';

function launch(program, parts) {
  const { id, main, what, oldest, lines } = program;
  const [opening, closing] = ['()=>{/*', '*/}'];
  const needed = `This ${what} needs Node ${oldest.join('.')} or newer`;
  if (isTooOld(oldest)) {
    refuse(
      `${needed} and was started with ${process.version}; install a newer one, or put it first on the PATH of this shell.`,
    );
    return;
  }
  const file = program.file || (typeof __filename === 'string' ? __filename : process.argv[1]);
  const load =
    typeof require === 'function' && program.file === undefined
      ? require
      : builtin('node:module').createRequire(file);
  // Early versions of Node 23 have SQLite only behind a flag, and some builds of Node have none.
  if (what === 'daemon' && !load('node:module').isBuiltin('node:sqlite')) {
    refuse(
      `${needed} with its own SQLite, which this Node (${process.version}) does not have; install another one, or put it first on the PATH of this shell.`,
    );
    return;
  }
  const fs = load('node:fs');
  const path = load('node:path');
  const threads = load('node:worker_threads');

  // A command that ends at once needs other code than a server. Every command adds the code that it
  // has compiled to the cache which all commands share.
  const isServer = what === 'daemon' || ['stdio', 'serve'].includes(process.argv[2]);
  const role = !threads.isMainThread ? roleOf(threads.workerData) : isServer ? 'main' : 'command';
  const command = role === 'command' ? String(process.argv[2]).replace(/[^a-z-]/g, '') : role;
  const name = `${[id, process.version, process.platform, process.arch, role].join('-')}.bin`;
  const chunks = compile(0).runInThisContext();
  const loaded = new Map();
  // What the program keeps beside the code caches, for its next start.
  const cache = { id, folders: cacheFolders, own: ownFolder };
  let script;
  let ofThreads;
  need(main);

  /** The exports of a chunk of the program, of a module of Node, or of a file beside the program. */
  function need(name) {
    if (!name.startsWith('./') || name.endsWith('.cjs')) return load(name);
    if (!loaded.has(name)) {
      if (chunks[name] === undefined) compileRest();
      loaded.set(name, chunks[name](need, file, cache, threadProgram));
    }
    return loaded.get(name);
  }

  function compileRest() {
    // A vault's settings may contain a regular expression that would run for ever. With this flag,
    // V8 then switches to an engine that needs only linear time, if the expression allows it. V8's
    // code cache depends on its flags, so the flag is set before anything is compiled.
    load('node:v8').setFlagsFromString(
      '--enable-experimental-regexp-engine-on-excessive-backtracks',
    );
    let kept;
    for (const folder of cacheFolders()) {
      if (kept === undefined || !kept.commands.includes(command)) {
        kept = read(path.join(folder, name)) || kept;
      }
    }
    script = compile(1, kept === undefined ? undefined : kept.code);
    Object.assign(chunks, script.runInThisContext());
    const commands = kept === undefined || script.cachedDataRejected ? [] : kept.commands;
    if (!commands.includes(command) && ownFolder() !== undefined) keepLater([...commands, command]);
  }

  /**
   * What a worker runs: this launcher, with those chunks alone that threads may need. If it ran this
   * file, every thread would keep two copies of the whole program's text in memory.
   */
  function threadProgram() {
    if (ofThreads !== undefined) return ofThreads;
    const given = JSON.stringify(Object.assign({}, program, { file }));
    ofThreads = {
      code: `${launch}\nlaunch(${given}, require('node:worker_threads').workerData.parts)`,
      parts: parts.map((part) => `${textOf(beginning(String(part)))}})`),
    };
    return ofThreads;
  }

  /** What stands before the mark: the chunks that threads may need. */
  function beginning(part) {
    return part.slice(0, part.indexOf('//\x02'));
  }

  function compile(part, cachedData) {
    return new (load('node:vm').Script)(textOf(String(parts[part])), {
      filename: file,
      lineOffset: lines[part],
      cachedData,
    });
  }

  /** The text of a part, or of its beginning. In the program's file, parts are in comments. */
  function textOf(part) {
    if (!part.startsWith(opening)) return part;
    const isWhole = part.endsWith(closing);
    const comment = part.slice(opening.length, isWhole ? -closing.length : part.length);
    return comment.split('*\x01/').join('*/');
  }

  function builtin(name) {
    return typeof require === 'function' ? require(name) : process.getBuiltinModule(name);
  }

  function isTooOld([oldestMajor, oldestMinor]) {
    const [major, minor] = process.versions.node.split('.').map(Number);
    return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  }

  /**
   * Says in one line why the program cannot run, and ends with the exit code that means so, as
   * `unavailable` does on the command line.
   */
  function refuse(reason) {
    const line = `vaultdoor: ${reason}\n`;
    process.stderr.write(line);
    process.exitCode = 6;
    if (what !== 'daemon') return;
    try {
      addToLog(line);
    } catch (_) {
      // There is no such folder, or no `require`. The reason is on stderr.
    }
  }

  /**
   * Adds a line to the log in the folder of the daemon, if there is such a folder: the client that
   * starts the daemon there says only that no token was written. The client sends stderr to the same
   * file, where the line then is already.
   */
  function addToLog(line) {
    // biome-ignore lint/style/useNodejsImportProtocol: A Node that is too old may not know "node:".
    const [fs, os] = [require('fs'), require('os')];
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
    const log = `${os.homedir()}/.obsidian-remote/server.log`;
    const file = fs.openSync(log, flags, 0o600);
    const [found, stderr] = [fs.fstatSync(file), fs.fstatSync(2)];
    const isStderr = found.dev === stderr.dev && found.ino === stderr.ino;
    if (found.isFile() && !isStderr) fs.writeSync(file, line);
    fs.closeSync(file);
  }

  /** The role of a thread; "thread" if it is not one that the program has started. */
  function roleOf(data) {
    return (data !== null && typeof data === 'object' && data.role) || 'thread';
  }

  /** Where caches are looked for: beside the program, where the build puts them, and in `ownFolder`. */
  function cacheFolders() {
    const saved = ownFolder() || userFolder();
    const shipped = path.join(path.dirname(file), 'code-cache');
    return saved === undefined ? [shipped] : [shipped, saved];
  }

  /** Where caches are saved; undefined where the user does not want that. */
  function ownFolder() {
    const given = process.env.VAULTDOOR_CODE_CACHE;
    // The doctor examines the user's folders and changes nothing in them.
    return given === 'off' || command === 'doctor' ? undefined : given || userFolder();
  }

  /** The user's own folder for caches; undefined where HOME is empty, which would mean this folder. */
  function userFolder() {
    const home = load('node:os').homedir();
    if (!path.isAbsolute(home)) return undefined;
    if (process.platform === 'win32') return path.join(home, '.vaultdoor', 'cache', 'code');
    if (process.platform === 'darwin') return path.join(home, 'Library/Caches/vaultdoor/code');
    const cache = process.env.XDG_CACHE_HOME || '';
    return path.join(path.isAbsolute(cache) ? cache : path.join(home, '.cache'), 'vaultdoor/code');
  }

  /**
   * Reads a code cache, and which commands have added to it; undefined if it is missing or damaged. V8
   * itself does not check for damage.
   */
  function read(file) {
    try {
      const bytes = fs.readFileSync(file);
      if (!bytes.subarray(0, 32).equals(digest(bytes.subarray(32)))) return undefined;
      const end = bytes.indexOf('\n', 32);
      const commands = bytes.toString('latin1', 32, end).trim().split(' ');
      return { commands, code: bytes.subarray(end + 1) };
    } catch (_) {
      return undefined;
    }
  }

  function digest(bytes) {
    return load('node:crypto').createHash('sha256').update(bytes).digest();
  }

  /** Saves the code cache after the program has run for a while, or when it ends. */
  function keepLater(commands) {
    let isKept = false;
    const once = () => {
      if (isKept) return;
      isKept = true;
      try {
        keep(ownFolder(), commands);
      } catch (_) {
        // The cache could not be saved, so the next start is as slow as this one.
      }
    };
    setTimeout(once, threads.isMainThread ? 5000 : 1000).unref();
    if (threads.isMainThread) process.on('exit', once);
  }

  function keep(folder, commands) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    forgetOld(folder);
    const line = commands.join(' ');
    // The code begins at a multiple of eight bytes, so that V8 need not copy it.
    const head = `${line.padEnd(Math.ceil((line.length + 1) / 8) * 8 - 1)}\n`;
    const bytes = Buffer.concat([Buffer.from(head), script.createCachedData()]);
    const temporary = path.join(folder, `${name}.${process.pid}-${threads.threadId}.tmp`);
    fs.writeFileSync(temporary, Buffer.concat([digest(bytes), bytes]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, path.join(folder, name));
  }

  /**
   * Deletes code caches of other versions of the program and of Node after 30 days. The user may have
   * named a folder with files of other programs: only names that `keep` gives are looked at.
   */
  function forgetOld(folder) {
    const before = Date.now() - 30 * 24 * 60 * 60 * 1000;
    for (const each of fs.readdirSync(folder)) {
      if (!/^[0-9a-f]{16}-(v\d[\w.+-]*\.bin|tools-[0-9a-f]{8}\.json)(\.\d+-\d+\.tmp)?$/.test(each))
        continue;
      const file = path.join(folder, each);
      // Another thread may have given its temporary file its final name since it was listed.
      const found = fs.lstatSync(file, { throwIfNoEntry: false });
      if (found?.isFile() && found.mtimeMs < before) fs.unlinkSync(file);
    }
  }
}

launch(PROGRAM, [PARTS]);
