const buttonsMark = /^<!-- release: buttons -->\n\n?/m;

/**
 * The fields of package.json that name the repository, of an address such as
 * `https://github.com/owner/name`. None if there is no address.
 */
export function repositoryFields(repositoryUrl) {
  if (repositoryUrl === '') return {};
  if (
    !/^https:\/\/[\w.-]+(\/[\w-]+(\.[\w-]+)*){2}$/.test(repositoryUrl) ||
    /\.git$/.test(repositoryUrl)
  ) {
    throw new Error(
      `"${repositoryUrl}" is not the address of a repository; it looks like https://github.com/owner/name.`,
    );
  }
  return {
    repository: { type: 'git', url: `git+${repositoryUrl}.git` },
    homepage: `${repositoryUrl}#readme`,
    bugs: { url: `${repositoryUrl}/issues` },
  };
}

/**
 * README.md with buttons that install Vaultdoor in Cursor, VS Code and Claude Desktop, at the place that
 * is marked in it. Without an address of the repository only the mark is removed: the buttons need the
 * published package, and the bundle beside it.
 */
export function withButtons(readme, { repositoryUrl, version }) {
  if (readme.split(buttonsMark).length !== 2) {
    throw new Error(
      'README.md must have one line "<!-- release: buttons -->", followed by an empty one.',
    );
  }
  const text = repositoryUrl === '' ? '' : `${buttons({ repositoryUrl, version }).join('\n')}\n\n`;
  return readme.replace(buttonsMark, () => text);
}

function buttons({ repositoryUrl, version }) {
  const badge = (label, color) =>
    `https://img.shields.io/badge/${encodeURIComponent(label)}-${color}`;
  return [
    ['Install in Cursor', badge('Install in Cursor', '000000'), cursorLink()],
    ['Install in VS Code', badge('Install in VS Code', '0098FF'), vsCodeLink()],
    [
      'Add to Claude Desktop (.mcpb download)',
      badge('Add to Claude Desktop (.mcpb download)', 'D97757'),
      `${repositoryUrl}/releases/download/v${version}/vaultdoor.mcpb`,
    ],
  ].map(([words, picture, link]) => `[![${words}](${picture})](${link})`);
}

const started = { command: 'npx', args: ['-y', 'vaultdoor', 'stdio'] };

/**
 * Pages on GitHub and npm may not link to `cursor:` and `vscode:`. Both makers have a page of their own
 * that passes such an address on.
 */
function cursorLink() {
  // Cursor shows the entry before it is added, and lets people change it.
  const entry = { ...started, env: { OBSIDIAN_VAULT_PATH: '/path/to/your/vault' } };
  const config = encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
  return `https://cursor.com/en/install-mcp?name=vaultdoor&config=${config}`;
}

function vsCodeLink() {
  const ask = {
    type: 'promptString',
    id: 'vault',
    description: 'The folder of your Obsidian vault',
  };
  const entry = {
    name: 'vaultdoor',
    ...started,
    env: { OBSIDIAN_VAULT_PATH: `\${input:${ask.id}}` },
    inputs: [ask],
  };
  const address = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(entry))}`;
  return `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(address)}`;
}
