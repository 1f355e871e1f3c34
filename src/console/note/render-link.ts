import type { ComponentChild } from 'preact';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { element } from './allowed-elements.ts';
import { type LinkTarget, saysHost } from './link-target.ts';
import { noteAddress } from './note-address.ts';

/**
 * A link, with what is shown for it. Its host stands behind it where the text says something else. What
 * leads nowhere, or where the console does not go, is no link.
 */
export function renderLink(
  target: LinkTarget,
  link: {
    readonly vault: string | undefined;
    readonly children: ComponentChild;
    /** What is shown, as plain text. */
    readonly text: string;
    /** The destination as it is written; the text when absent. */
    readonly written?: string;
  },
): ComponentChild {
  const { vault, children, text, written = text } = link;
  switch (target.kind) {
    case 'file':
      return element('a', { href: noteAddress({ vault, ...target }) }, children);
    case 'web': {
      const { href, host } = target;
      const shown = element(
        'a',
        { class: 'web', href, rel: 'noopener noreferrer', target: '_blank', title: host },
        children,
      );
      if (saysHost(text, host)) return shown;
      return [shown, element('small', { class: 'host' }, ` (${host})`)];
    }
    case 'missing':
      return element('span', { class: 'missing', title: words.missingLink }, children);
    case 'refused': {
      const title = words.refusedLink(written.slice(0, 40));
      return element('span', { class: 'refused', title }, children);
    }
  }
}
