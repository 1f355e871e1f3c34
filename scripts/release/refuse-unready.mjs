import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, run } from '../outside-programs.mjs';

/**
 * Fails unless this checkout can be released: everything is committed, CHANGELOG.md has the version, and
 * the tag, if one is given, is that of the version. With a tag, the version must not be called
 * unreleased any more; without one this is a rehearsal, and `notes` says what is left to change. Also
 * returns when the commit was made.
 */
export async function refuseUnready({ version, tag }) {
  const changed = await git('status', '--porcelain');
  if (changed !== '') {
    throw new Error(
      `A release is made of what is committed. Commit these changes, or stash them:\n${changed}`,
    );
  }
  if (tag !== undefined && tag !== `v${version}`) {
    throw new Error(
      `The tag is ${tag}, but package.json has the version ${version}, whose tag is v${version}. Change one of them.`,
    );
  }
  const headings = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8').match(/^## .*$/gm) ?? [];
  const heading = headings.find((each) => each.split(' ')[1] === version);
  if (heading === undefined) {
    throw new Error(`CHANGELOG.md has no part "## ${version}" that says what is new.`);
  }
  const isUnreleased = /unreleased/i.test(heading);
  if (isUnreleased && tag !== undefined) {
    throw new Error(
      `CHANGELOG.md says "${heading}". Write "## ${version}" and the date there first.`,
    );
  }
  const notes = isUnreleased
    ? `  CHANGELOG.md says "${heading}": write "## ${version}" and the date there.\n`
    : '';
  return { notes, committed: (await git('log', '-1', '--format=%cI')).trim() };
}

async function git(...words) {
  const { code, stdout, stderr } = await run('git', words, { cwd: repository });
  if (code !== 0) throw new Error(`git ${words[0]} failed; a release needs a checkout:\n${stderr}`);
  return stdout;
}
