import { describe, expect, it } from 'vitest';
import { media } from '../../../../test/support/media.ts';
import { photos } from '../../../../test/support/photos.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { listUnusedAttachments } from '../list/list-graph.ts';
import { listBadAttachments } from '../vault/list-bad-attachments.ts';
import { writeAttachment } from './write-attachment.ts';

const bytes = media['dot.png'] ?? new Uint8Array();
const page = { limit: 100, offset: 0 };

function settings(value: object): Readonly<Record<string, string>> {
  return { '.obsidian/app.json': JSON.stringify(value) };
}

describe('writeAttachment', () => {
  it.each<[setting: string, name: string, path: string]>([
    ['/', 'a.png', 'a.png'],
    ['', 'a.png', 'a.png'],
    ['Files/', 'a.png', 'Files/a.png'],
    ['./', 'a.png', 'Sub/a.png'],
    ['./own', 'a.png', 'Sub/own/a.png'],
    ['.hidden', 'a.png', 'a.png'],
    ['../out', 'a.png', 'a.png'],
    ['Files', '/a.png', 'a.png'],
    ['Files', 'Else/a.png', 'Else/a.png'],
    ['Files', 'b.PNG', 'Files/b.PNG'],
    ['Files', 'Note.png', 'Files/Note.png'],
  ])('with the folder %j puts %j at %s', async (attachmentFolderPath, name, path) => {
    const vault = await openWrittenVault({
      ...settings({ attachmentFolderPath }),
      'Sub/Note.md': 'x\n',
    });
    const made = await vault.change(writeAttachment, { name, bytes, note: 'Note' });
    expect(made.path).toBe(path);
    expect(vault.text('Sub/Note.md')).toBe(`x\n${made.embed}\n`);
    expect(await vault.indexFaults()).toEqual([]);
    await vault.close();
  });

  it.each<[object, string]>([
    [{}, '![[a.png]]'],
    [{ newLinkFormat: 'absolute' }, '![[Files/a.png]]'],
    [{ useMarkdownLinks: true, newLinkFormat: 'relative' }, '![](../Files/a.png)'],
  ])('writes the embed as the vault writes links: %j', async (style, embed) => {
    const vault = await openWrittenVault({
      ...settings({ attachmentFolderPath: 'Files', ...style }),
      'Sub/Note.md': '',
    });
    const made = await vault.change(writeAttachment, { name: 'a.png', bytes, note: 'Note' });
    expect(made.embed).toBe(embed);
    await vault.close();
  });

  it('leaves links alone that led to another file of that name', async () => {
    const vault = await openWrittenVault({ 'Deep/in/a.png': bytes, 'Note.md': '![[a.png]]\n' });
    await vault.change(writeAttachment, { name: 'a.png', bytes });
    expect(vault.text('Note.md')).toBe('![[Deep/in/a.png]]\n');
    await vault.close();
  });

  it('refuses what is too large, hidden, a note, or gone', async () => {
    const vault = await openWrittenVault({ 'a.png.md': '', 'Secret/x.png': bytes });
    const caller = vault.as({ scopes: { ...allScopes, hide: ['Secret'] } });
    const large = new Uint8Array(limits.attachmentBytesMax + 1);
    large.set(bytes);
    for (const [request, code] of [
      [{ name: 'big.png', bytes: large }, 'too_large'],
      [{ name: 'a.png', bytes, replace: true }, 'invalid_input'],
      [{ name: 'none.png', bytes, replace: true }, 'not_found'],
      [{ name: 'x.png', bytes, replace: true }, 'not_found'],
      [{ name: 'Secret/y.png', bytes }, 'forbidden'],
      [{ name: 'y.png', bytes, note: 'Nobody' }, 'not_found'],
    ] as const) {
      await expect(caller.change(writeAttachment, request)).rejects.toMatchObject({ code });
    }
    expect(Object.keys(vault.files()).sort()).toEqual(['Secret/x.png', 'a.png.md']);
    await vault.close();
  });
});

it('lists the attachments that nothing uses, and those that are not what they seem', async () => {
  const cut = (media['tone.wav'] ?? bytes).subarray(0, 60);
  const photo = Buffer.from(photos.refinedJpeg, 'base64');
  // Some phones put a short film behind the photo. Two bytes of it look like the start of a scan.
  const frames = Array.from({ length: 6_000 }, (_, at) => Math.imul(at, 7_919) >>> 3);
  const film = Buffer.from([...frames, 0xff, 0xda, 1, 2]);
  const wide = Buffer.from(bytes);
  wide.writeUInt32BE(60_000, 16);
  wide.writeUInt32BE(60_000, 20);
  const vault = await openWrittenVault({
    ...settings({ userIgnoreFilters: ['Archive/'] }),
    'Note.md': '![[used.png]] [x](linked.pdf)\n',
    'Archive/Old.md': '![[old.png]]\n',
    'Plan.canvas': '{"nodes":[{"id":"1","type":"file","file":"drawn.png"}]}',
    'used.png': bytes,
    'old.png': bytes,
    'drawn.png': bytes,
    'linked.pdf': media['page.pdf'] ?? bytes,
    'Sub/alone.png': bytes,
    'cut.jpg': photo.subarray(0, 1_500),
    'cut.wav': cut,
    'film.jpg': Buffer.concat([photo, film]),
    'half.png': bytes.subarray(0, bytes.length - 6),
    'whole.jpg': photo,
    'wide.png': wide,
    'wrong.jpg': bytes,
    'notes.txt': 'text',
  });
  const { items } = await listUnusedAttachments(vault.vault, page);
  expect(items).toEqual([
    'Sub/alone.png',
    'cut.jpg',
    'cut.wav',
    'film.jpg',
    'half.png',
    'notes.txt',
    'whole.jpg',
    'wide.png',
    'wrong.jpg',
  ]);
  expect(
    (await listUnusedAttachments(vault.vault, { ...page, folder: 'Sub' as never })).items,
  ).toEqual(['Sub/alone.png']);
  const unseen = vault.as({ scopes: { ...allScopes, hide: ['Sub', 'Note.md'] } });
  const seen = (await listUnusedAttachments(unseen, page)).items;
  expect([seen.includes('Sub/alone.png' as never), seen.includes('used.png' as never)]).toEqual([
    false,
    true,
  ]);
  expect(await listBadAttachments(vault.vault)).toEqual([
    { path: 'cut.jpg', reason: 'it is cut off' },
    { path: 'cut.wav', reason: 'it is cut off' },
    { path: 'half.png', reason: 'it is cut off' },
    { path: 'wide.png', reason: 'it has too many pixels to be shown' },
    { path: 'wrong.jpg', reason: 'its content is not what its name says' },
  ]);
  await vault.close();
});
