// The beginning of the daemon's single file. It is older JavaScript than the rest, which is compiled
// only where Node is new enough for it: an old one would print a syntax error instead of a sentence.
// It also runs where a package.json around it makes it a module: nothing of CommonJS is needed.
'use strict';

var needs = 'vaultdoor: This daemon needs Node 22.13 or newer and was started with ';
var advice = '; install a newer one, or put it first on the PATH of this shell.\n';

function startVaultdoor(program) {
  var parts = process.versions.node.split('.');
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  // These have SQLite, and need no flag for it.
  if (major < 22 || (major === 22 && minor < 13) || (major === 23 && minor < 4)) {
    process.stderr.write(needs + process.version + advice);
    process.exitCode = 1;
    return;
  }
  var file = typeof __filename === 'string' ? __filename : process.argv[1];
  var require = process.getBuiltinModule('node:module').createRequire(file);
  var compile = process.getBuiltinModule('node:vm').compileFunction;
  compile(program, ['require', '__filename'], { filename: file })(require, file);
}

startVaultdoor(PROGRAM);
