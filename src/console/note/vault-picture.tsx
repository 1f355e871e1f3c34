import { useContext, useEffect, useState } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { fileNameOf } from '../../base/vault-path.ts';
import { send } from '../page/api.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { EmbedContext } from './embed-book.ts';
import type { EmbedProps } from './render-tokens.ts';

type Picture = { readonly url: string } | { readonly failed: string } | undefined;

/**
 * A picture of the vault. It is fetched with the page's key, which an `<img>` cannot send, and shown as
 * a `blob:` that is revoked when the picture goes. As an image even an SVG runs no script.
 */
export function VaultPicture({ path, alias }: EmbedProps) {
  const { book } = useContext(EmbedContext);
  const [picture, setPicture] = useState<Picture>(undefined);
  useEffect(() => {
    if (!book.takePicture()) {
      setPicture({ failed: words.morePictures(consoleNoteLimits.picturesMax) });
      return undefined;
    }
    const stop = new AbortController();
    let url: string | undefined;
    fetchPicture(path, stop.signal).then(
      (blob) => {
        if (stop.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setPicture({ url });
      },
      () => {
        if (!stop.signal.aborted) setPicture({ failed: words.notPicture(path) });
      },
    );
    return () => {
      stop.abort();
      book.leavePicture();
      if (url !== undefined) URL.revokeObjectURL(url);
      setPicture(undefined);
    };
  }, [book, path]);
  const { alt, width } = sizeOf(alias);
  if (picture === undefined) return <span class="picture-waits" />;
  if ('failed' in picture) return <span class="missing">{picture.failed}</span>;
  return (
    <img
      class="picture"
      src={picture.url}
      alt={alt === '' ? fileNameOf(path) : alt}
      {...(width === undefined ? {} : { width })}
    />
  );
}

async function fetchPicture(path: string, signal: AbortSignal): Promise<Blob> {
  const response = await send('GET', '/file', { path }, { signal });
  if (!response.ok) throw new Error('no picture');
  return response.blob();
}

/** What is written after a picture's `|`: a width (`300`, `300x200`), other words, or both. */
function sizeOf(alias: string): { readonly alt: string; readonly width: number | undefined } {
  const parts = alias.split('|');
  const size = /^\s*(\d{1,4})(?:x\d{1,4})?\s*$/.exec(parts.at(-1) ?? '')?.[1];
  if (size === undefined) return { alt: alias, width: undefined };
  const width = Math.min(Number(size), consoleNoteLimits.pictureWidthMax);
  return { alt: parts.slice(0, -1).join('|'), width };
}
