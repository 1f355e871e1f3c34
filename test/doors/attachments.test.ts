import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import * as photon from '@silvia-odwyer/photon-node';
import { describe, expect, it, vi } from 'vitest';
import { startSdkClient } from '../contract/stdio-door.ts';
import { damagedFiles } from '../support/damaged-files.ts';
import { base64Of, media } from '../support/media.ts';
import { pictures } from '../support/pictures.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A vault with these bytes beside notes. */
function vaultWith(
  attachments: Readonly<Record<string, Uint8Array>>,
  notes: Readonly<Record<string, string>> = {},
): string {
  const folder = tempFolder(notes);
  for (const [name, bytes] of Object.entries(attachments)) writeFileSync(join(folder, name), bytes);
  return folder;
}

async function start(folder: string, ...options: readonly string[]) {
  const args = ['--context', 'off', ...options];
  const client = await startSdkClient({ folder, args }, { era: '2025-11-25' });
  return { client, call: callOf(client) };
}

function callOf(client: Client) {
  return async (name: string, args: object) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } });
    const texts = content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []));
    const shown = content.flatMap((piece) =>
      piece.type === 'image' || piece.type === 'audio' ? [piece] : [],
    );
    return { failed: isError === true, text: texts.join('\n'), shown };
  };
}

/** The colour in the middle of the upper left quarter of a picture, and its size. */
function firstQuarter(base64: string | undefined): readonly number[] {
  const image = photon.PhotonImage.new_from_byteslice(Buffer.from(base64 ?? '', 'base64'));
  const [width, height] = [image.get_width(), image.get_height()];
  const at = 4 * (Math.floor(height / 4) * width + Math.floor(width / 4));
  const colour = image.get_raw_pixels().subarray(at, at + 3);
  return [width, height, ...Array.from(colour, (value) => Math.round(value / 255))];
}

const rows = ([1, 2, 3, 4, 5, 6, 7, 8] as const).map((each) => `orientation${each}Jpeg` as const);
const seenRows = [...rows, 'orientation6Png', 'orientation6Webp', 'animatedGif'] as const;

describe('attachments', () => {
  it('are seen upright and heard, or answered with size and kind', async () => {
    const turned = Object.fromEntries(
      seenRows.map((name) => [
        `${name}.${name.slice(-4).toLowerCase().replace('dgif', 'gif')}`,
        Buffer.from(pictures[name], 'base64'),
      ]),
    );
    const { client, call } = await start(
      vaultWith({ ...turned, ...media, 'broken.png': Buffer.from('not a picture') }),
    );
    for (const name of Object.keys(turned)) {
      const { shown, text } = await call('read_note', { name });
      expect(shown, name).toMatchObject([{ type: 'image' }]);
      expect(firstQuarter(shown[0]?.data), name).toEqual([48, 32, 1, 0, 0]);
      expect(text).toContain('shown as 48 x 32 pixels');
    }
    for (const [name, mimeType] of [
      ['tone.wav', 'audio/wav'],
      ['song.mp3', 'audio/mpeg'],
      ['voice.m4a', 'audio/mp4'],
      ['bird.ogg', 'audio/ogg'],
      ['bird.flac', 'audio/flac'],
    ] as const) {
      const { shown } = await call('read_note', { name });
      expect(shown, name).toEqual([{ type: 'audio', mimeType, data: base64Of(name) }]);
    }
    for (const [name, says] of [
      ['new.avif', 'AVIF picture, 64 bytes; only PNG, JPEG, GIF and WebP pictures can be shown'],
      ['phone.heic', 'HEIC picture, 64 bytes; only PNG'],
      ['plan.svg', `SVG picture, ${media['plan.svg']?.length} bytes; only PNG`],
      ['old.bmp', 'BMP picture'],
      ['film.mp4', 'MP4 film, 64 bytes; this kind of file cannot be shown'],
      ['film.webm', 'WebM film'],
      ['broken.png', 'unknown kind, 13 bytes; its content is not what its name says'],
    ] as const) {
      const { shown, text, failed } = await call('read_note', { name });
      expect([name, shown, failed]).toEqual([name, [], false]);
      expect(text).toContain(`[${name}: ${says}`);
    }
    expect((await call('read_note', { name: 'page.pdf' })).text).toBe('[Page 1 of 1]\nHello');
    const { contents } = await client.readResource({ uri: 'vault:///page.pdf' });
    expect(contents).toMatchObject([{ mimeType: 'application/pdf', blob: base64Of('page.pdf') }]);
    await client.close();
  });

  it('come along with a note, those that the client may see', async () => {
    const note = '# One\n\n![[dot.png]] ![[photo.jpg]]\n\n# Two\n\n![[dot.png]]\n![[new.avif]]\n';
    const folder = vaultWith(media, { 'Note.md': note });
    const { client, call } = await start(folder, '--hide', 'photo.jpg');
    await vi.waitFor(() => client.listResources(), { timeout: 30_000 });
    const whole = await call('read_note', { name: 'Note', images: true });
    expect(whole.shown).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
    expect(whole.text).toContain('[Images: dot.png: PNG picture');
    expect(whole.text).toContain('new.avif: AVIF picture, 64 bytes; only PNG');
    expect(whole.text).not.toContain('photo.jpg: ');
    const without = await call('read_note', { name: 'Note' });
    expect([without.shown, without.text]).toEqual([[], note]);
    expect((await call('read_note', { name: 'photo.jpg' })).failed).toBe(true);
    await expect(client.readResource({ uri: 'vault:///photo.jpg' })).rejects.toThrow();
    await client.close();
  });

  it('are added, embedded, replaced, moved, deleted and undone', async () => {
    const settings = '{"attachmentFolderPath":"./files"}';
    const folder = vaultWith({}, { 'Sub/Note.md': 'text\n', '.obsidian/app.json': settings });
    const { client, call } = await start(folder);
    const read = (path: string): string => readFileSync(join(folder, path)).toString('base64');
    const add = { name: 'dot.png', data: base64Of('dot.png'), note: 'Note' };
    expect((await call('write_attachment', add)).text).toContain('"path":"Sub/files/dot.png"');
    expect((await call('write_attachment', add)).text).toContain('"path":"Sub/files/dot 1.png"');
    expect(readFileSync(join(folder, 'Sub/Note.md'), 'utf8')).toBe(
      'text\n![[dot.png]]\n![[dot 1.png]]\n',
    );
    expect(read('Sub/files/dot.png')).toBe(base64Of('dot.png'));
    const other = Buffer.from(pictures.palettePng, 'base64').toString('base64');
    await call('write_attachment', { name: 'dot 1.png', data: other, replace: true });
    expect(read('Sub/files/dot 1.png')).toBe(other);
    await call('undo_change', {});
    expect(read('Sub/files/dot 1.png')).toBe(base64Of('dot.png'));
    await call('rename_note', { old_name: 'dot.png', new_name: 'Pictures/point.png' });
    expect(readFileSync(join(folder, 'Sub/Note.md'), 'utf8')).toContain('![[point.png]]');
    await call('delete_note', { name: 'point.png' });
    expect((await call('list_vault', { what: 'unused' })).text).toBe('{"total":0}');
    await call('undo_change', { session: 'current' });
    expect(readFileSync(join(folder, 'Sub/Note.md'), 'utf8')).toBe('text\n');
    await call('write_attachment', { name: '/lone.pdf', data: base64Of('page.pdf') });
    expect((await call('list_vault', { what: 'unused' })).text).toContain('"lone.pdf"');
    await client.close();
  });

  it('are refused where name and bytes disagree, or nothing may be written', async () => {
    const folder = vaultWith(media, { 'Note.md': '' });
    const { client, call } = await start(folder);
    for (const [name, of] of [
      ['a.jpg', 'dot.png'],
      ['a.svg', 'plan.svg'],
      ['a.html', 'plan.svg'],
      ['a.js', 'dot.png'],
      ['a.md', 'dot.png'],
      ['a', 'dot.png'],
      ['.a.png', 'dot.png'],
      ['.obsidian/plugins/a.png', 'dot.png'],
      ['Sub/.git/a.png', 'dot.png'],
      ['../a.png', 'dot.png'],
      ['/etc/a.png', 'dot.png'],
      ['a.mp3', 'film.mp4'],
    ] as const) {
      expect((await call('write_attachment', { name, data: base64Of(of) })).failed, name).toBe(
        true,
      );
    }
    for (const args of [{ data: '%%%' }, { data: '' }, {}, { from: 'dot.png' }]) {
      expect((await call('write_attachment', { name: 'a.png', ...args })).failed).toBe(true);
    }
    await client.close();
    const reader = await start(folder, '--read-only');
    const asked = reader.call('write_attachment', { name: 'a.png', data: base64Of('dot.png') });
    await expect(asked).resolves.toMatchObject({ failed: true });
    await reader.client.close();
  });

  it('come from the folder of --attach-from, and from nowhere else', async () => {
    const folder = vaultWith({}, { 'Note.md': '' });
    const from = vaultWith(
      { 'dot.png': media['dot.png'] ?? new Uint8Array(), '.secret.png': new Uint8Array(9) },
      { 'deep/x.txt': 'text' },
    );
    const outside = vaultWith({ 'out.png': media['dot.png'] ?? new Uint8Array() });
    symlinkSync(join(outside, 'out.png'), join(from, 'link.png'));
    symlinkSync(outside, join(from, 'away'));
    const { client, call } = await start(folder, '--attach-from', from);
    const added = await call('write_attachment', { name: 'a.png', from: 'dot.png', note: 'Note' });
    expect(added.text).toContain('"path":"a.png","embed":"![[a.png]]"');
    for (const [name, says] of [
      ['link.png', 'leads out of the folder that attachments may be added from. Correct "from".'],
      ['away/out.png', 'leads out of the folder'],
      ['.secret.png', 'may not be read'],
      ['deep', 'is a folder'],
      ['deep/x.txt', 'first bytes'],
      ['none.png', 'no such file'],
      ['../dot.png', '".."'],
      [join(from, 'dot.png'), 'relative'],
    ] as const) {
      const { failed, text } = await call('write_attachment', { name: 'b.png', from: name });
      expect([name, failed, text]).toEqual([name, true, expect.stringContaining(says)]);
      expect(text).not.toContain(outside);
    }
    await client.close();
    const proposer = await start(folder, '--attach-from', from, '--propose');
    const proposed = await proposer.call('write_attachment', { name: 'b.png', from: 'dot.png' });
    expect(proposed).toMatchObject({ failed: true, text: expect.stringContaining('"data"') });
    const kept = await proposer.call('write_attachment', {
      name: 'b.png',
      data: base64Of('dot.png'),
    });
    expect(kept).toMatchObject({ failed: false, text: expect.stringContaining('Proposed p1') });
    await proposer.client.close();
  });

  it('that are damaged cost their limit, and nothing else', async () => {
    const files = damagedFiles(12);
    const { client, call } = await start(vaultWith(files, { 'Note.md': 'here\n' }));
    for (const name of Object.keys(files)) {
      const [found, other] = await Promise.all([
        call('read_note', { name }),
        call('read_note', { name: 'Note' }),
      ]);
      expect([name, found.failed, other.text]).toEqual([name, false, 'here\n']);
    }
    await client.close();
  });
});
