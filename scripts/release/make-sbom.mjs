import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repository } from '../outside-programs.mjs';
import { bundledPackages } from './bundled-packages.mjs';

/**
 * The list of all that is in a release (SBOM), in the format CycloneDX 1.6: the packages that are inside
 * of the built files, and the optional packages that npm installs beside them, for all platforms.
 * `files` are the released files with their SHA-256; the serial number is made of them, and the time is
 * that of the commit, so that the same commit makes the same list.
 *
 * `npm sbom` is not used: it does not know what is inside of the built files, and leaves out packages
 * of `dependencies` that a tool for development needs as well.
 */
export function makeSbom({ files, committed, repositoryUrl }) {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')).packages;
  const inside = bundledPackages();
  const beside = installedPackages(Object.keys(manifest.optionalDependencies), lock);
  const components = new Map();
  for (const path of beside) {
    const entry = { ...lock[path], name: nameOf(path), scope: 'optional', files: [] };
    components.set(refOf(entry), component(entry));
  }
  for (const { folder, ...entry } of inside) {
    const { integrity } = lock[lockPath(folder)] ?? {};
    components.set(refOf(entry), component({ ...entry, integrity, scope: 'required' }));
  }
  const root = refOf(manifest);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(files),
    version: 1,
    metadata: {
      timestamp: new Date(committed).toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': root,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: licences(manifest.license),
        purl: purlOf(manifest),
        ...(repositoryUrl === ''
          ? {}
          : { externalReferences: [{ type: 'vcs', url: repositoryUrl }] }),
        components: files.map(({ name, sha256 }) => ({
          type: 'file',
          'bom-ref': `file:${name}`,
          name,
          hashes: [{ alg: 'SHA-256', content: sha256 }],
        })),
      },
    },
    components: [...components.values()],
    dependencies: [
      { ref: root, dependsOn: [...components.keys()] },
      ...Array.from(components.keys(), (ref) => ({ ref })),
    ],
  };
}

/** The paths in package-lock.json of these packages, and of all that npm may install for them. */
function installedPackages(names, lock) {
  const found = new Set();
  const add = (name, above) => {
    const path = above.map((folder) => `${folder}node_modules/${name}`).find((each) => lock[each]);
    if (path === undefined) throw new Error(`package-lock.json does not have ${name}.`);
    if (found.has(path)) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = lock[path];
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      add(needed, [`${path}/`, ...above]);
    }
  };
  for (const name of names) add(name, ['']);
  return [...found];
}

function component({ name, version, license, integrity, scope, files }) {
  return {
    type: 'library',
    'bom-ref': refOf({ name, version }),
    name,
    version,
    scope,
    ...(integrity === undefined ? {} : { hashes: [sha512Of(integrity)] }),
    licenses: licences(license),
    purl: purlOf({ name, version }),
    ...(files.length === 0
      ? {}
      : { properties: files.map((value) => ({ name: 'vaultdoor:inside', value })) }),
  };
}

function refOf({ name, version }) {
  return `${name}@${version}`;
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licences(license) {
  return /\s(?:OR|AND|WITH)\s/.test(license)
    ? [{ expression: license }]
    : [{ license: { id: license } }];
}

function sha512Of(integrity) {
  const [, base64] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  if (base64 === undefined) throw new Error(`"${integrity}" is not a SHA-512.`);
  return { alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') };
}

/** A UUID that is made of the released files. */
function serialNumber(files) {
  const hash = createHash('sha256').update(files.map(({ sha256 }) => sha256).join());
  const [...signs] = hash.digest('hex').slice(0, 32);
  signs[12] = '8'; // A UUID whose bits mean what its maker says.
  signs[16] = '8';
  const uuid = signs.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return `urn:uuid:${uuid}`;
}

/** The path of a package in package-lock.json, also where `node_modules` is a link. */
function lockPath(folder) {
  const path = relative(repository, folder).replaceAll('\\', '/');
  return path.slice(path.indexOf('node_modules/'));
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
