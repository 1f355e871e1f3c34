import type { ComponentChildren } from 'preact';
import { Mark } from './icon.tsx';
import { VaultPicker } from './vault-picker.tsx';

/** The head of a screen: its name, one sentence about it, and what can be done on all of it. */
export function TopBar({
  title,
  more,
  children,
}: {
  readonly title: string;
  readonly more: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="top">
      <span class="only-phone">
        <Mark />
      </span>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="grow cut">{more}</p>
      <span class="grow only-phone" />
      <span class="only-phone">
        <VaultPicker isSmall />
      </span>
      {children}
    </header>
  );
}

/** A heading inside a screen, with what can be done about the part under it. */
export function PartHeading({
  title,
  more,
  children,
}: {
  readonly title: string;
  readonly more?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="part-heading">
      <div class="grow">
        <h2>{title}</h2>
        {more === undefined ? undefined : <p>{more}</p>}
      </div>
      {children}
    </div>
  );
}
