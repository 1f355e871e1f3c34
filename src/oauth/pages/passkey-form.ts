import { type Html, html } from './html.ts';

/**
 * The attributes of a form that `passkeyScript` drives. The form is hidden until the script has found
 * that the browser can use passkeys.
 */
export function passkeyAttributes(parts: {
  readonly kind: 'get' | 'create';
  readonly options: string;
  readonly answer: string;
  readonly next: string;
  readonly word?: string;
}): Html {
  return html`hidden data-passkey="${parts.kind}" data-options="${parts.options}" data-answer="${parts.answer}" data-next="${parts.next}" data-word="${parts.word ?? ''}"`;
}
